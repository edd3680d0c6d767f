#pragma once

#include "roofcast/plan/scenario.hpp"
#include "roofcast/predict/forecast.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// What the changes are ranked by.
enum class Metric { ttft, tpot, e2e, tokens_per_second, memory };

std::span<const std::string_view> metric_names();
/// @throws UsageError  unknown, with the known ones
Metric parse_metric(std::string_view name);

/// Changed minus base, by term: the differences of a phase's terms add up to the difference of its
/// predicted times.
TimeTerms difference(const TimeTerms& changed, const TimeTerms& base);

/// Changed minus base, by line of the memory ledger [B].
struct MemoryChange {
  Bytes weights{};
  Bytes kv_cache{};
  Bytes state{};
  Bytes activations{};
  Bytes runtime{};
  Bytes total{};
};

MemoryChange difference(const MemoryForecast& changed, const MemoryForecast& base);

/// One change and what it does.
struct Variation {
  Change change;
  Scenario scenario;                 ///< keeps alive what `forecast` points to
  std::optional<Forecast> forecast;  ///< absent when the changed configuration cannot be
  std::string problem;               ///< then why
  TimeTerms prefill_change;
  std::optional<TimeTerms> decode_change;  ///< of the mean step; absent unless both have one
  MemoryChange memory_change;
  /// How many times better than the base by the metric: base / changed for times and memory,
  /// changed / base for throughput. Absent where one of the two has no such figure.
  std::optional<double> gain;
};

struct WhatIf {
  Metric metric = Metric::tpot;
  Scenario scenario;  ///< keeps alive what `base` points to
  Forecast base;
  std::vector<Variation> variations;
};

/// The base against each change, one at a time, in the order of the changes.
/// @throws UsageError  a change whose value cannot be; ConfigError from the base
WhatIf what_if(const Scenario& base, std::span<const Change> changes, Metric metric,
               const FindDevice& find_device);

/// Best gain first, equal ones in the order given; those that cannot be last.
void sort_by_gain(WhatIf& answer);

/// The schemes that people ask for, narrowest last: 8-bit and 4-bit weights alone and with
/// activations, GGUF types, an 8-bit KV cache. Without those that the base already is.
std::vector<Change> scheme_changes(const Scenario& base);

/// batch=1, 2, 4, ... below `limit`, `limit` itself and `knee`, in ascending order; none below 1.
std::vector<Change> batch_changes(std::int64_t limit, std::optional<std::int64_t> knee);

}  // namespace roofcast
