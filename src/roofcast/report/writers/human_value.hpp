#pragma once

#include "roofcast/report/report.hpp"

#include <string>

namespace roofcast {

/// A value with the prefix and unit that suit it: "12.55 GiB", "7.01 ms", "2,048", "yes"; "-" for
/// null.
std::string human(const Value& value);

/// The unit of a whole column, fixed by its first row that has one, so that the eye compares
/// numbers.
struct ColumnUnit {
  std::string text;     ///< "ms"; empty for counts and text
  double factor = 1.0;  ///< what one such unit is in SI
};
/// The unit in which `human` would print the value.
ColumnUnit unit_of(const Value& value);

/// The number alone, in the unit of its column: three significant digits, whole numbers from 1,000
/// on; memory has two decimals.
std::string human_in(const Value& value, const ColumnUnit& unit);

/// True for null, zero and text, which say nothing about the unit of a column.
bool is_unitless(const Value& value);

}  // namespace roofcast
