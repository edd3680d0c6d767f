// `roofcast memory MODEL [--gpu G]`: what is held, and what else would fit.
#include "roofcast/predict/memory.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/cli/options.hpp"
#include "roofcast/report/build_report.hpp"
#include "roofcast/units/format.hpp"

#include <optional>

#include <fmt/format.h>

namespace roofcast {
namespace {

class MemoryCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(app, "MODEL", model_, {"MODEL", "name or alias of a model, or a card file"});
    text_option(app, "--gpu", gpu_,
                {"GPU", "name or alias of a device, or a profile file: tells what fits"});
    workload_.add(app, /*has_context=*/true);
    text_option(app, "--context", context_,
                {"N", "tokens held for each sequence; default: prompt + output", "Workload"});
    scheme_.add(app);
    engine_.add(app, /*with_level=*/false);
    flag_option(app, "--must-fit", must_fit_,
                "exit status 1 when it does not fit, or nobody can tell");
  }

  Answer run(const CommandContext& context) override {
    MemoryAnswer answer;
    answer.workload = resolve_workload();
    answer.runtime = &engine_.resolve_runtime();
    answer.request = {.batch = answer.workload.batch,
                      .context = answer.workload.prompt + answer.workload.output,
                      .prompt = answer.workload.prompt,
                      .kv_block = engine_.resolve_kv_block(),
                      .memory_fraction = engine_.resolve_memory_fraction()};
    if (!context_.empty())
      answer.request.context = resolve_context();
    const Model model = find_model(context.catalogue, model_);
    std::optional<HardwareProfile> profile;
    if (!gpu_.empty())
      profile = find_device(context.catalogue, gpu_);
    if (must_fit_ && !profile)
      throw UsageError("--must-fit needs a device; add --gpu GPU");
    answer.model = &model;
    answer.profile = profile ? &*profile : nullptr;
    answer.plan = scheme_.resolve(model.card);
    answer.memory =
        forecast_memory(model, answer.plan, *answer.runtime, answer.request, answer.profile);
    answer.warnings = memory_warnings(model, answer.request, answer.memory, answer.profile);
    for (Warning& warning : precision_warnings(model, answer.plan))
      answer.warnings.push_back(std::move(warning));
    const bool fits = answer.memory.fits.value_or(false);
    return {build_memory_report(answer), must_fit_ && !fits ? 1 : 0};
  }

 private:
  [[nodiscard]] std::int64_t resolve_context() const {
    return parse_count_option("--context", context_, 1, kMaxTokens);
  }

  /// The prompt is part of the context: a short context has no longer prompt.
  [[nodiscard]] Workload resolve_workload() const {
    WorkloadOptions options = workload_;
    const bool stated = !options.prompt.empty();
    if (!stated)
      options.prompt = WorkloadOptions{}.prompt;
    Workload workload = options.resolve();
    if (context_.empty() || workload.prompt <= resolve_context())
      return workload;
    if (stated) {
      throw UsageError(fmt::format("--prompt: {} tokens are more than the --context of {}",
                                   format_count(workload.prompt), format_count(resolve_context())));
    }
    workload.prompt = resolve_context();
    return workload;
  }

  std::string model_;
  std::string gpu_;
  std::string context_;
  WorkloadOptions workload_;
  SchemeOptions scheme_;
  EngineOptions engine_;
  bool must_fit_ = false;
};

ROOFCAST_COMMAND("memory", MemoryCommand, 20,
                 "weights, KV cache, activations, runtime; largest batch and longest context",
                 "roofcast memory llama-3.1-8b --gpu h100 --batch 32 --context 8192 --kv fp8");

}  // namespace
}  // namespace roofcast
