#pragma once

#include "roofcast/plan/knee.hpp"
#include "roofcast/plan/whatif.hpp"
#include "roofcast/report/report.hpp"

#include <optional>
#include <string>

namespace roofcast {

/// The changes that were asked for, best first, each with its causes.
Report build_whatif_report(const WhatIf& answer);

/// A curve over the batch, with its knee when there is one to find.
struct BatchCurve {
  WhatIf answer;             ///< in the order of the batches, the base's own included
  std::optional<Knee> knee;  ///< absent without decode steps or when not even one sequence fits
};

/// What people ask most: every scheme against the base, and the curve over the batch.
Report build_usual_whatif_report(const WhatIf& schemes, const BatchCurve& batches);

}  // namespace roofcast
