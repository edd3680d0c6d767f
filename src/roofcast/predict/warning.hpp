#pragma once

#include <string>
#include <string_view>

namespace roofcast {

enum class WarningKind {
  compute_path_missing,  ///< the device has no native path for the scheme; a wider one is used
  context_beyond_model,  ///< longer than the model was made for
  does_not_fit,
  capacity_unknown,       ///< the profile states no memory size
  nearest_constants,      ///< no fitted constants for this architecture: a wider band
  profile_not_published,  ///< recalled, derived or announced figures
};

/// A stable key for machines: "compute_path_missing".
std::string_view name(WarningKind kind);

struct Warning {
  WarningKind kind;
  std::string message;  ///< one sentence with its numbers, and what would help
};

}  // namespace roofcast
