// `roofcast explain QUANTITY MODEL --gpu G`: the formula of one number of an estimate, with the
// numbers put in.
#include "roofcast/predict/explain.hpp"

#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/cli/options.hpp"
#include "roofcast/report/build_explanation.hpp"

namespace roofcast {
namespace {

class ExplainCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(
        app, "QUANTITY", quantity_,
        {"QUANTITY", "a number of the JSON of estimate: decode.bound_seconds, or tpot for short"});
    options_.add(app);
  }

  Answer run(const CommandContext& context) override {
    const ResolvedRequest resolved = resolve(options_, context.catalogue);
    const Forecast answer = forecast(resolved.request);
    return {build_explanation_report(explain(quantity_, answer), answer)};
  }

 private:
  std::string quantity_;
  EstimateOptions options_;
};

ROOFCAST_COMMAND("explain", ExplainCommand, 60,
                 "the formula of one number, with the numbers put in",
                 "roofcast explain decode.bound_seconds llama-2-7b --gpu a100-sxm4-80");

}  // namespace
}  // namespace roofcast
