// `roofcast whatif MODEL --gpu G`: one change at a time against the base, with its causes.
#include "roofcast/plan/whatif.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/cli/options.hpp"
#include "roofcast/report/build_whatif.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::string_view kChanges = "Changes";
/// End of the batch curve on devices that state no memory.
constexpr std::int64_t kBatchWithoutLimit = 256;

class WhatIfCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    options_.add(app);
    repeated_option(app, "--change", changes_,
                    {"KEY=VALUE,...",
                     "one change, several settings with commas; default: the usual schemes and a "
                     "curve over the batch",
                     kChanges});
    text_option(app, "--by", by_,
                {"ttft|tpot|e2e|tokens_per_second|memory", "what a gain is", kChanges});
  }

  Answer run(const CommandContext& context) override {
    const Metric metric = parse_metric(by_);
    std::vector<Change> changes;
    for (const std::string& text : changes_)
      changes.push_back(parse_change(text));
    const Scenario base = resolve_base(context.catalogue);
    const bool by_decode = metric == Metric::tpot || metric == Metric::tokens_per_second;
    if (by_decode && base.workload.output < 2) {
      throw UsageError(
          fmt::format("--by {}: one output token takes no decode step; ask for --output 2 or more, "
                      "or --by ttft",
                      by_));
    }
    const FindDevice find = [&context](const std::string& name) {
      return find_device(context.catalogue, name);
    };
    if (changes.empty())
      return {usual(base, metric, find)};
    WhatIf answer = what_if(base, changes, metric, find);
    sort_by_gain(answer);
    return {build_whatif_report(answer)};
  }

 private:
  [[nodiscard]] Scenario resolve_base(const Catalogue& catalogue) const {
    ResolvedRequest resolved = resolve(options_, catalogue);
    Scenario base;
    base.model = std::move(resolved.model);
    base.profile = std::move(resolved.profile);
    base.precision = options_.scheme.request;
    base.workload = resolved.request.workload;
    base.runtime = resolved.request.runtime;
    base.level = resolved.request.level;
    base.kv_block = resolved.request.kv_block;
    base.memory_fraction = resolved.request.memory_fraction;
    return base;
  }

  static Report usual(const Scenario& base, Metric metric, const FindDevice& find) {
    WhatIf schemes = what_if(base, scheme_changes(base), metric, find);
    sort_by_gain(schemes);
    BatchCurve curve;
    const std::int64_t limit = schemes.base.memory.max_batch.value_or(kBatchWithoutLimit);
    if (limit >= 1 && base.workload.output >= 2)
      curve.knee = find_knee(schemes.base.request, limit);
    std::optional<std::int64_t> knee;
    if (curve.knee)
      knee = curve.knee->batch;
    curve.answer = what_if(base, batch_changes(limit, knee), metric, find);
    return build_usual_whatif_report(schemes, curve);
  }

  EstimateOptions options_;
  std::vector<std::string> changes_;
  std::string by_ = "tpot";
};

ROOFCAST_COMMAND("whatif", WhatIfCommand, 20, "what a change brings, and why",
                 "roofcast whatif llama-2-7b --gpu a100-sxm4-80 --change weights=fp8 --change "
                 "batch=64");

}  // namespace
}  // namespace roofcast
