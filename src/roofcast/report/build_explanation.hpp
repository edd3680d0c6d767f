#pragma once

#include "roofcast/predict/explain.hpp"
#include "roofcast/report/report.hpp"

namespace roofcast {

/// The answer of `explain`: the formula, its symbols, and the numbers put in.
Report build_explanation_report(const Explanation& explanation, const Forecast& forecast);

}  // namespace roofcast
