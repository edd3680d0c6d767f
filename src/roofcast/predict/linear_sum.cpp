#include "roofcast/predict/linear_sum.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofcast {
namespace {

constexpr std::size_t kMostLines = 4;
constexpr std::size_t kMostCuts = kMostLines * (kMostLines - 1) / 2 + 2;

}  // namespace

Crossing cross(const Line& one, const Line& other, double count) {
  const Seconds start = one.first - other.first;
  const Seconds end = one.last - other.last;
  const Steps all{0, count, count};
  const Steps none{0, 0, count};
  if (start >= Seconds{} && end >= Seconds{})
    return {all, none};
  if (start < Seconds{} && end < Seconds{})
    return {none, all};
  const double at = start / (start - end) * (count - 1);
  if (start >= Seconds{}) {
    const double cut = std::clamp(std::floor(at) + 1, 1.0, count - 1);
    return {{0, cut, count}, {cut, count, count}};
  }
  const double cut = std::clamp(std::ceil(at), 1.0, count - 1);
  return {{cut, count, count}, {0, cut, count}};
}

Seconds sum_of_largest(std::span<const Line> lines, double count) {
  ROOFCAST_CHECK(!lines.empty() && lines.size() <= kMostLines);
  std::array<double, kMostCuts> cuts{0, count};
  std::size_t used = 2;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      const Crossing cut = cross(lines[i], lines[j], count);
      if (cut.upper.empty() || cut.lower.empty())
        continue;
      cuts[used++] = std::max(cut.upper.begin, cut.lower.begin);
    }
  }
  const auto last = cuts.begin() + static_cast<std::ptrdiff_t>(used);
  std::sort(cuts.begin(), last);
  Seconds sum{};
  for (auto cut = cuts.begin(); cut + 1 != last; ++cut) {
    // No two lines change order between cuts, so that the largest sum is the sum of the largest.
    Seconds most{};
    for (const Line& line : lines)
      most = std::max(most, line.sum({*cut, *(cut + 1), count}));
    sum += most;
  }
  return sum;
}

}  // namespace roofcast
