#pragma once

#include "roofcast/plan/sweep_columns.hpp"
#include "roofcast/report/report.hpp"

namespace roofcast {

/// The figure of one column with its unit; null where the row has none.
Value sweep_value(const SweepColumn& column, const SweepRow& row);

/// A column as reports list it: key, label, alignment.
Column report_column(const SweepColumn& column);

}  // namespace roofcast
