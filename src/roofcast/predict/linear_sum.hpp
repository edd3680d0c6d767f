#pragma once

#include "roofcast/units/quantity.hpp"

#include <span>

/// Sums over consecutive steps of figures that change by the same amount from step to step, which
/// is what a growing context does to every operator until a window fills. docs/model.md Eq. 14.
namespace roofcast {

/// The steps begin <= k < end of a segment of `count` steps; all whole numbers.
struct Steps {
  double begin = 0;
  double end = 0;
  double count = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
};

/// Sum over `steps` of a figure that is `first` at the first and `last` at the last step of the
/// segment.
template <class Quantity>
Quantity sum_linear(Quantity first, Quantity last, const Steps& steps) {
  const double middle =
      steps.count > 1 ? 0.5 * (steps.begin + steps.end - 1) / (steps.count - 1) : 0.0;
  return (steps.end - steps.begin) * ((1.0 - middle) * first + middle * last);
}

/// A time that is linear in the step, by its values at both ends of a segment.
struct Line {
  Seconds first{};
  Seconds last{};

  [[nodiscard]] Seconds sum(const Steps& steps) const { return sum_linear(first, last, steps); }
  Line& operator+=(const Line& other) {
    first += other.first;
    last += other.last;
    return *this;
  }
};

constexpr Line operator*(double factor, const Line& line) {
  return {factor * line.first, factor * line.last};
}

/// A segment cut where one line crosses another.
struct Crossing {
  Steps upper;  ///< steps in which the first line is at least the second
  Steps lower;
};

Crossing cross(const Line& one, const Line& other, double count);

/// Sum over a segment of the largest of up to four lines [s].
Seconds sum_of_largest(std::span<const Line> lines, double count);

}  // namespace roofcast
