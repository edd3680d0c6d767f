#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// What must hold for every model on every device, tried on one pair.
struct InvariantResult {
  std::string_view invariant;  ///< "bound below prediction"
  std::int64_t cases = 0;      ///< comparisons that were made
  std::optional<bool> holds;   ///< empty: could not be tried
  std::string detail;          ///< the first case that failed, or why it could not be tried
};

/// The bound is below the prediction and the prediction in its band; neither falls with batch or
/// context; fewer bits never take more bytes or a longer bound; the closed form of a decode equals
/// the sum of its steps; the largest batch fits and one more does not.
std::vector<InvariantResult> check_invariants(const Model& model, const HardwareProfile& profile);

}  // namespace roofcast
