#pragma once

#include "roofcast/hw/hardware_profile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofcast {

/// Vendors print the rate with structured sparsity first, so a peak taken from the front page is
/// twice what dense products can reach. Arithmetic tells: peak = units x clock x operations per
/// clock.
struct PeakProblem {
  ComputePath path;
  std::string message;
};

struct PeakCheck {
  std::vector<ComputePath> reproduced;  ///< within kPeakTolerance of the arithmetic
  std::vector<ComputePath> exempted;    ///< the profile says why
  std::vector<ComputePath> unchecked;  ///< no units, no clock or no known rate for the architecture
  std::vector<PeakProblem> problems;
};

/// Sheets round to three digits (1.2 %) and some state vector and tensor rates at different clocks
/// (8 %); a doubled value is 100 % off.
inline constexpr double kPeakTolerance = 0.10;

/// Dense operations per clock of one unit (SM, CU, Xe core, CPU core) [FLOP].
///
/// @return  nullopt where the rate of that architecture on that path is not known here
/// @source  NVIDIA white papers Volta to Blackwell, AMD CDNA and RDNA instruction guides, Intel Xe
/// and AMX
///          optimisation guides, Arm Neoverse software guides
std::optional<Flops> operations_per_clock(const HardwareProfile& profile, ComputePath path);

/// Checks each peak against units x clock x operations per clock, and their order: a narrower
/// format is never slower on the same unit. Without a stated clock the vector FP32 peak is the
/// ruler, since no vendor prints that one sparse.
PeakCheck check_peaks(const HardwareProfile& profile);

}  // namespace roofcast
