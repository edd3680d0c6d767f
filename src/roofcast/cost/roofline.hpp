#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/number_format.hpp"
#include "roofcast/model/op_builder.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/units/quantity.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace roofcast {

/// Attainable time under the classic roofline [s]: max(work / peak, traffic / bandwidth). Eq. 8.
Seconds roofline_time(Flops work, Bytes traffic, FlopsPerSecond peak, BytesPerSecond bandwidth);

/// Intensity at which the bound changes from memory to compute [FLOP/B]. Eq. 9.
FlopsPerByte ridge_point(FlopsPerSecond peak, BytesPerSecond bandwidth);

/// Width of the operands that a path multiplies [bit]; TF32 reads 32-bit words.
int operand_bits(ComputePath path);

using SecondsPerFlop = decltype(1.0 / FlopsPerSecond());
using SecondsPerByte = decltype(1.0 / BytesPerSecond());

/// The datasheet's rates of one device as reciprocals: what the hot path multiplies with.
class Roof {
 public:
  /// @throws ConfigError  when the device publishes no bandwidth
  explicit Roof(const HardwareProfile& profile);

  /// work / peak [s]; infinite on a path that the device does not have.
  [[nodiscard]] Seconds compute(Flops work, ComputePath path) const {
    return work > Flops{} ? work * per_flop_[static_cast<std::size_t>(path)] : Seconds{};
  }
  /// traffic / bandwidth [s].
  [[nodiscard]] Seconds memory(Bytes traffic) const { return traffic * per_byte_; }

 private:
  std::array<SecondsPerFlop, kComputePaths> per_flop_;
  SecondsPerByte per_byte_;
};

/// The path on which two operands are multiplied on this device: the fastest of those that hold the
/// values of both, so that no kernel can beat the bound, and of equally fast ones the narrowest.
/// Since the activations' paths are among them, narrow weights never raise the roof above that of
/// their activations.
struct ResolvedPath {
  ComputePath path = ComputePath::fp32_vector;
  bool weight_only = false;  ///< the weights are narrower than the path: expanded on the fly
  bool missing = false;      ///< the path is wider than the wider operand, or rounds a value
  std::optional<ComputePath> slower;  ///< a narrower path that the device has and that is slower
};

/// @throws ConfigError  when the device has no path that can serve, naming what it has, or has one
///                      as narrow whose peak is not published, naming that one
ResolvedPath resolve_path(const HardwareProfile& profile, const NumberFormat& weights,
                          const NumberFormat& activations);

/// All paths of a plan on a device. @throws ConfigError  as above
PathChoice choose_paths(const HardwareProfile& profile, const PrecisionPlan& plan);

}  // namespace roofcast
