#pragma once

#include "roofcast/report/build_report.hpp"

#include <vector>

namespace roofcast {

/// The operators as one list for machines and a table for each phase for people; nothing when there
/// are none.
std::vector<Block> operator_grids(const std::vector<OperatorForecast>& operators);

}  // namespace roofcast
