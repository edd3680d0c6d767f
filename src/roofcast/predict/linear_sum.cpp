#include "roofcast/predict/linear_sum.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofcast {
namespace {

constexpr std::size_t kMostLines = 4;
/// The steps at which a segment is cut, ascending, its two ends included.
class Cuts {
 public:
  explicit Cuts(double count) : at_{0, count} {}

  void insert(double cut) {
    std::size_t place = size_++;
    for (; at_[place - 1] > cut; --place)
      at_[place] = at_[place - 1];
    at_[place] = cut;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  double operator[](std::size_t i) const { return at_[i]; }

 private:
  std::array<double, kMostLines*(kMostLines - 1) / 2 + 2> at_;
  std::size_t size_ = 2;
};

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
  Cuts cuts(count);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      const Crossing cut = cross(lines[i], lines[j], count);
      if (cut.upper.empty() || cut.lower.empty())
        continue;
      cuts.insert(std::max(cut.upper.begin, cut.lower.begin));
    }
  }
  Seconds sum{};
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    // No two lines change order between cuts, so that the largest sum is the sum of the largest.
    Seconds most{};
    for (const Line& line : lines)
      most = std::max(most, line.sum({cuts[i], cuts[i + 1], count}));
    sum += most;
  }
  return sum;
}

}  // namespace roofcast
