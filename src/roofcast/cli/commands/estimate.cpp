// `roofcast estimate MODEL --gpu G`: the main job.
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/cli/options.hpp"
#include "roofcast/predict/forecast.hpp"
#include "roofcast/report/build_report.hpp"

#include <vector>

namespace roofcast {
namespace {

class EstimateCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    options_.add(app);
    flag_option(app, "--ops", operators_, "adds the table of operators");
    flag_option(app, "--must-fit", must_fit_,
                "exit status 1 when it does not fit, or nobody can tell");
  }

  Answer run(const CommandContext& context) override {
    const ResolvedRequest resolved = resolve(options_, context.catalogue);
    const Forecast answer = forecast(resolved.request);
    std::vector<OperatorForecast> operators;
    if (operators_)
      operators = operator_forecasts(resolved.request);
    const bool fits = answer.memory.fits.value_or(false);
    return {build_estimate_report(answer, operators), must_fit_ && !fits ? 1 : 0};
  }

 private:
  EstimateOptions options_;
  bool operators_ = false;
  bool must_fit_ = false;
};

ROOFCAST_COMMAND("estimate", EstimateCommand, 10,
                 "memory, prefill, decode, TTFT, TPOT and tokens/s of one configuration",
                 "roofcast estimate llama-2-7b --gpu a100-sxm4-80 --prompt 2048 --output 256");

}  // namespace
}  // namespace roofcast
