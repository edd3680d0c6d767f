#include "roofcast/plan/whatif.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace roofcast {
namespace {

constexpr std::array<std::string_view, 5> kMetrics = {"ttft", "tpot", "e2e", "tokens_per_second",
                                                      "memory"};

std::optional<double> ratio(const std::optional<Seconds>& base,
                            const std::optional<Seconds>& changed) {
  if (!base || !changed)
    return std::nullopt;
  return *base / *changed;
}

std::optional<double> gain(const Forecast& base, const Forecast& changed, Metric metric) {
  switch (metric) {
    case Metric::ttft:
      return base.ttft / changed.ttft;
    case Metric::tpot:
      return ratio(base.tpot, changed.tpot);
    case Metric::e2e:
      return base.e2e / changed.e2e;
    case Metric::tokens_per_second:
      if (!base.tokens_per_second || !changed.tokens_per_second)
        return std::nullopt;
      return *changed.tokens_per_second / *base.tokens_per_second;
    case Metric::memory:
      return base.memory.total / changed.memory.total;
  }
  throw InternalError("a metric without a gain");
}

Variation vary(const WhatIf& answer, const Change& change, const FindDevice& find_device) {
  Variation variation;
  variation.change = change;
  variation.scenario = apply(change, answer.scenario, find_device);
  const ForecastRequest request = variation.scenario.request();
  try {
    variation.forecast = forecast(request);
  } catch (const ConfigError& error) {
    variation.problem = error.what();
    return variation;
  }
  const Forecast& base = answer.base;
  const Forecast& changed = *variation.forecast;
  variation.prefill_change = difference(changed.prefill.terms, base.prefill.terms);
  if (changed.decode && base.decode) {
    variation.decode_change = difference(changed.decode->terms, base.decode->terms);
  }
  variation.memory_change = difference(changed.memory, base.memory);
  variation.gain = gain(base, changed, answer.metric);
  return variation;
}

/// Whether a change leaves every format as it is.
bool changes_nothing(const Scenario& base, const Change& change) {
  const PrecisionPlan before = base.request().plan;
  const PrecisionPlan after = apply(change, base, nullptr).request().plan;
  return before.weights == after.weights && before.activations == after.activations &&
         before.kv == after.kv;
}

}  // namespace

std::span<const std::string_view> metric_names() {
  return kMetrics;
}

Metric parse_metric(std::string_view name) {
  const auto found = std::find(kMetrics.begin(), kMetrics.end(), name);
  if (found != kMetrics.end())
    return static_cast<Metric>(found - kMetrics.begin());
  std::string help = did_you_mean(name, kMetrics);
  if (help.empty()) {
    help = "; the metrics are ";
    for (const std::string_view metric : kMetrics)
      help.append(metric == kMetrics[0] ? "" : ", ").append(metric);
  }
  throw UsageError("--by: unknown metric '" + printable(name) + "'" + help);
}

TimeTerms difference(const TimeTerms& changed, const TimeTerms& base) {
  TimeTerms change;
  for (Seconds TimeTerms::*term :
       {&TimeTerms::weights, &TimeTerms::scales, &TimeTerms::kv, &TimeTerms::activations,
        &TimeTerms::compute, &TimeTerms::network, &TimeTerms::overhead}) {
    change.*term = changed.*term - base.*term;
  }
  return change;
}

MemoryChange difference(const MemoryForecast& changed, const MemoryForecast& base) {
  return {.weights = changed.weights - base.weights,
          .kv_cache = changed.kv_cache - base.kv_cache,
          .state = changed.state - base.state,
          .activations = changed.activations - base.activations,
          .runtime = changed.runtime - base.runtime,
          .total = changed.total - base.total};
}

WhatIf what_if(const Scenario& base, std::span<const Change> changes, Metric metric,
               const FindDevice& find_device) {
  WhatIf answer;
  answer.metric = metric;
  answer.scenario = base;
  answer.base = forecast(answer.scenario.request());
  for (const Change& change : changes)
    answer.variations.push_back(vary(answer, change, find_device));
  return answer;
}

void sort_by_gain(WhatIf& answer) {
  std::stable_sort(answer.variations.begin(), answer.variations.end(),
                   [](const Variation& a, const Variation& b) { return a.gain > b.gain; });
}

std::vector<Change> scheme_changes(const Scenario& base) {
  // What each asks beyond the weights is spelt out; activations and KV cache otherwise stay as the
  // checkpoint has them.
  constexpr auto kSchemes = std::to_array<std::string_view>({
      "weights=auto",
      "kv=fp8",
      "weights=int8",
      "weights=fp8",
      "weights=int8,activations=int8",
      "weights=fp8,activations=fp8",
      "weights=fp8,activations=fp8,kv=fp8",
      "weights=q8_0",
      "weights=q6_k",
      "weights=q5_k",
      "weights=q4_k",
      "weights=int4_g128",
      "weights=int4_g128,kv=fp8",
      "weights=nf4",
      "weights=mxfp4",
      "weights=nvfp4,activations=nvfp4",
  });
  std::vector<Change> changes;
  for (const std::string_view scheme : kSchemes) {
    std::string text(scheme);
    if (base.precision.activations != "auto" && text.find("activations=") == std::string::npos) {
      text += ",activations=auto";
    }
    if (base.precision.kv != "auto" && text.find("kv=") == std::string::npos)
      text += ",kv=auto";
    Change change = parse_change(text);
    if (!changes_nothing(base, change))
      changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Change> batch_changes(std::int64_t limit, std::optional<std::int64_t> knee) {
  std::set<std::int64_t> batches;
  for (std::int64_t batch = 1; batch <= limit; batch *= 2)
    batches.insert(batch);
  if (limit >= 1)
    batches.insert(limit);
  if (knee)
    batches.insert(*knee);
  std::vector<Change> changes;
  changes.reserve(batches.size());
  for (const std::int64_t batch : batches)
    changes.push_back(parse_change("batch=" + std::to_string(batch)));
  return changes;
}

}  // namespace roofcast
