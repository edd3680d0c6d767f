#pragma once

#include "roofcast/plan/compare.hpp"
#include "roofcast/report/report.hpp"

#include <vector>

namespace roofcast {

/// The candidates side by side, a column each, and how many times the fastest one is faster.
Report build_compare_report(const std::vector<Candidate>& candidates);

}  // namespace roofcast
