#include "roofcast/report/attribution.hpp"

#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>

namespace roofcast {
namespace {

constexpr auto kTerms = std::to_array<TimeTermName>({
    {"weights_seconds", "weights", &TimeTerms::weights},
    {"scales_seconds", "scales", &TimeTerms::scales},
    {"kv_seconds", "KV", &TimeTerms::kv},
    {"activations_seconds", "activations", &TimeTerms::activations},
    {"compute_seconds", "compute", &TimeTerms::compute},
    {"network_seconds", "network", &TimeTerms::network},
    {"overhead_seconds", "overhead", &TimeTerms::overhead},
});

constexpr auto kLines = std::to_array<MemoryLineName>({
    {"weights_bytes", "weights", &MemoryForecast::weights, &MemoryChange::weights},
    {"kv_cache_bytes", "KV", &MemoryForecast::kv_cache, &MemoryChange::kv_cache},
    {"state_bytes", "state", &MemoryForecast::state, &MemoryChange::state},
    {"activation_bytes", "activations", &MemoryForecast::activations, &MemoryChange::activations},
    {"runtime_bytes", "runtime", &MemoryForecast::runtime, &MemoryChange::runtime},
});

/// A plain "0" for what rounds to nothing.
std::string signed_time(Seconds change, Seconds scale) {
  const std::string text = format_change(change, scale);
  return text.starts_with("0 ") ? "0" : text;
}

std::string signed_bytes(Bytes change) {
  if (change < Bytes{})
    return "-" + format_binary(-change);
  return change > Bytes{} ? "+" + format_binary(change) : "0";
}

/// Causes that people look for, and so want to read that there is none.
bool is_expected(std::string_view label) {
  return label == "weights" || label == "KV";
}

/// "LABEL CHANGE, LABEL CHANGE" over the parts that either side has, without what rounds to nothing
/// and nobody expects; "" where all are alike.
template <class Names, class Part, class Show>
std::string join_changes(const Names& names, Part part, Show show) {
  std::string text;
  bool any = false;
  for (const auto& name : names) {
    const auto [after, before] = part(name);
    any = any || after != before;
    const std::string change = show(after - before);
    const bool absent = after == decltype(after){} && before == decltype(before){};
    if (absent || (change == "0" && !is_expected(name.label)))
      continue;
    text.append(text.empty() ? "" : ", ").append(name.label).append(" ").append(change);
  }
  return any ? text : "";
}

Seconds longer(const TimeTerms& a, const TimeTerms& b) {
  return std::max(a.total(), b.total());
}

}  // namespace

std::span<const TimeTermName> time_term_names() {
  return kTerms;
}

std::span<const MemoryLineName> memory_line_names() {
  return kLines;
}

std::string attribution(const TimeTerms& changed, const TimeTerms& base) {
  return join_changes(
      kTerms,
      [&](const TimeTermName& name) {
        return std::pair{changed.*name.term, base.*name.term};
      },
      [&](Seconds change) { return signed_time(change, longer(changed, base)); });
}

std::string attribution(const MemoryForecast& changed, const MemoryForecast& base) {
  return join_changes(
      kLines,
      [&](const MemoryLineName& name) {
        return std::pair{changed.*name.line, base.*name.line};
      },
      signed_bytes);
}

std::string total_change(const TimeTerms& changed, const TimeTerms& base) {
  return signed_time(changed.total() - base.total(), longer(changed, base));
}

std::string total_change(const MemoryForecast& changed, const MemoryForecast& base) {
  return signed_bytes(changed.total - base.total);
}

}  // namespace roofcast
