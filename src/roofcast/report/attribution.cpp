#include "roofcast/report/attribution.hpp"

#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

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

/// "-9.1", "+1,478.20", "0": `steps` of the last decimal.
std::string signed_number(double steps, int decimals) {
  if (steps == 0.0)
    return "0";
  std::string number =
      fmt::format("{:.{}f}", std::fabs(steps) * std::pow(10.0, -decimals), decimals);
  const std::size_t point = std::min(number.find('.'), number.size());
  for (std::size_t at = point; at > 3; at -= 3)
    number.insert(at - 3, ",");
  return (steps < 0.0 ? "-" : "+") + number;
}

/// `differences` holds one number of SI units for each of `names`.
template <class Names>
ChangeText texts_of(const Names& names, std::vector<double> differences, const ChangeUnit& unit) {
  for (double& difference : differences)
    difference *= std::pow(10.0, unit.decimals) / unit.factor;
  const std::vector<double> steps = round_to_sum(differences);
  ChangeText text;
  text.whole = signed_number(std::accumulate(steps.begin(), steps.end(), 0.0), unit.decimals);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == 0.0)
      continue;
    text.parts.append(text.parts.empty() ? "" : ", ")
        .append(names[i].label)
        .append(" ")
        .append(signed_number(steps[i], unit.decimals));
  }
  return text;
}

}  // namespace

std::span<const TimeTermName> time_term_names() {
  return kTerms;
}

std::span<const MemoryLineName> memory_line_names() {
  return kLines;
}

ChangeUnit change_unit(Seconds scale) {
  const ColumnUnit unit = unit_of(scale);
  const double size = std::fabs(scale / seconds(unit.factor));
  // 99.95 has three digits as "100", so the decimals follow from the rounded number.
  return {unit.text, unit.factor, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2};
}

ChangeUnit change_unit(Bytes scale) {
  const ColumnUnit unit = unit_of(Capacity{scale});
  return {unit.text, unit.factor, 2};
}

std::vector<double> round_to_sum(const std::vector<double>& parts) {
  std::vector<double> rounded(parts.size());
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::transform(parts.begin(), parts.end(), rounded.begin(),
                 [](double part) { return std::floor(part); });
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  const double missing = std::round(sum) - std::accumulate(rounded.begin(), rounded.end(), 0.0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return parts[a] - rounded[a] > parts[b] - rounded[b];
  });
  const std::size_t most = parts.size();
  const auto raised = static_cast<std::size_t>(std::clamp(missing, 0.0, static_cast<double>(most)));
  for (std::size_t i = 0; i < raised; ++i)
    rounded[order[i]] += 1.0;
  return rounded;
}

ChangeText change_text(const TimeTerms& changed, const TimeTerms& base, const ChangeUnit& unit) {
  std::vector<double> differences;
  differences.reserve(std::size(kTerms));
  for (const TimeTermName& name : kTerms)
    differences.push_back((changed.*name.term - base.*name.term) / seconds(1.0));
  return texts_of(kTerms, std::move(differences), unit);
}

ChangeText change_text(const MemoryForecast& changed, const MemoryForecast& base,
                       const ChangeUnit& unit) {
  std::vector<double> differences;
  differences.reserve(std::size(kLines));
  for (const MemoryLineName& name : kLines)
    differences.push_back((changed.*name.line - base.*name.line) / bytes(1.0));
  return texts_of(kLines, std::move(differences), unit);
}

}  // namespace roofcast
