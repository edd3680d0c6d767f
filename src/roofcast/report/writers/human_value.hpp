#pragma once

#include "roofcast/report/report.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roofcast {

/// A value with the prefix and unit that suit it: "12.55 GiB", "7.01 ms", "2,048", "yes"; "-" for
/// null.
std::string human(const Value& value);

/// The unit of a whole column, so that the eye compares
/// numbers.
struct ColumnUnit {
  std::string text;     ///< "ms"; empty for counts and text
  double factor = 1.0;  ///< what one such unit is in SI
};
/// The unit in which `human` would print the value.
ColumnUnit unit_of(const Value& value);

/// The unit of that name: "TB/s", "ms", "GiB"; a factor of 1 for what is not known.
ColumnUnit unit_named(std::string_view text);

/// The number alone, in the unit of its column: three significant digits, whole numbers from 1,000
/// on, "<0.001" below that; memory has two decimals.
std::string human_in(const Value& value, const ColumnUnit& unit);

/// The number in SI units; nothing for null, text and plain counts, which have no unit.
std::optional<double> si_value(const Value& value);

}  // namespace roofcast
