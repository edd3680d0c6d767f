#pragma once

#include "roofcast/plan/sweep.hpp"
#include "roofcast/report/report.hpp"

#include <string>
#include <vector>

namespace roofcast {

/// The rows of a sweep as people read them: what was ranked, the axes that vary among these rows,
/// what was asked for, then the usual figures, so that a narrow table leaves out what matters
/// least. Models and devices have the names that they were given by.
Grid sweep_table(const SweepSpace& space, const SweepRequest& request,
                 const std::vector<SweepRow>& rows);

/// "llama-3.1-8b, h100-sxm5-80, kv fp8_e4m3": the axes of the sweep that are the same in all of
/// `rows`.
std::string same_in_all(const SweepSpace& space, const std::vector<SweepRow>& rows);

}  // namespace roofcast
