#pragma once

#include "roofcast/cost/roofline.hpp"
#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/memory.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

enum class WarningKind {
  compute_path_missing,  ///< the device has no native path for the scheme, or one that is slower
                         ///< than a wider one; the wider one is used
  context_beyond_model,  ///< longer than the model was made for
  does_not_fit,
  capacity_unknown,       ///< the profile states no memory size
  nearest_constants,      ///< no fitted constants for this architecture: a wider band
  cache_resident,         ///< a decode step moves less than the last-level cache holds
  profile_not_published,  ///< recalled, derived or announced figures
  weights_narrowed,       ///< published in more than 16 bits, taken in FP16
};

/// A stable key for machines: "compute_path_missing".
std::string_view name(WarningKind kind);

struct Warning {
  WarningKind kind;
  std::string message;  ///< one sentence with its numbers, and what would help
};

/// What the ledger alone gives reason to say. `profile` may be null.
std::vector<Warning> memory_warnings(const Model& model, const MemoryRequest& request,
                                     const MemoryForecast& memory, const HardwareProfile* profile);

/// Weights that `auto` took narrower than they were published.
std::vector<Warning> precision_warnings(const Model& model, const PrecisionPlan& plan);

/// Products of the plan that the device cannot do natively, one warning per pair of formats.
std::vector<Warning> path_warnings(const HardwareProfile& profile, const PrecisionPlan& plan);

/// A decode step whose compulsory bytes fit into the last-level cache, where the memory's bound is
/// none: what one step reads may still be there in the next.
std::vector<Warning> cache_warnings(const HardwareProfile& profile, Bytes decode_bytes);

/// How far the figures of the profile can be trusted; empty when its vendor published them.
std::vector<Warning> profile_warnings(const HardwareProfile& profile);

}  // namespace roofcast
