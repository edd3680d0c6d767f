#include "roofcast/cost/roofline.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace roofcast {
namespace {

bool contains(std::span<const ComputePath> paths, ComputePath path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

/// The formats whose paths can serve a product: those of the wider operand; of two narrow formats
/// of the same width, the paths that both can be expanded to, for neither holds the other's values.
struct Wanted {
  std::span<const ComputePath> paths;
  std::span<const ComputePath> also_in;

  [[nodiscard]] bool serves(ComputePath path) const {
    return also_in.empty() || contains(also_in, path);
  }
};

Wanted wanted_paths(const NumberFormat& weights, const NumberFormat& activations) {
  if (weights.element_bits > activations.element_bits)
    return {weights.paths, {}};
  const bool both_narrow = weights.element_bits == activations.element_bits &&
                           activations.element_bits < 16 && &weights != &activations;
  return {activations.paths, both_narrow ? weights.paths : std::span<const ComputePath>{}};
}

[[noreturn]] void fail_no_path(const HardwareProfile& profile, const NumberFormat& weights,
                               const NumberFormat& activations) {
  std::string has;
  for (std::size_t i = 0; i < kComputePaths; ++i) {
    if (profile.peaks[i])
      has.append(has.empty() ? "" : ", ").append(kComputePathNames[i]);
  }
  throw ConfigError(profile.name + " states no peak on which " + std::string(weights.name) +
                    " weights and " + std::string(activations.name) +
                    " activations can be multiplied; it has " + (has.empty() ? "none" : has));
}

/// Dividing by a bandwidth that nobody publishes would make every time infinite or undefined.
SecondsPerByte seconds_per_byte(const HardwareProfile& profile) {
  if (profile.memory.bandwidth <= BytesPerSecond{}) {
    throw ConfigError("the memory bandwidth of " + profile.name +
                      " is not published, so no time can be predicted on it");
  }
  return 1.0 / profile.memory.bandwidth;
}

}  // namespace

int operand_bits(ComputePath path) {
  switch (path) {
    case ComputePath::fp64_vector:
    case ComputePath::fp64_tensor:
      return 64;
    case ComputePath::fp32_vector:
    case ComputePath::fp32_tensor:
    case ComputePath::tf32_tensor:
      return 32;
    case ComputePath::fp16_vector:
    case ComputePath::fp16_tensor:
    case ComputePath::fp16_acc16:
    case ComputePath::bf16_vector:
    case ComputePath::bf16_tensor:
      return 16;
    case ComputePath::fp8_tensor:
    case ComputePath::fp8_acc16:
    case ComputePath::int8_vector:
    case ComputePath::int8_tensor:
      return 8;
    case ComputePath::fp6_tensor:
      return 6;
    case ComputePath::fp4_tensor:
    case ComputePath::int4_tensor:
      return 4;
  }
  throw InternalError("a compute path without a width");
}

Seconds roofline_time(Flops work, Bytes traffic, FlopsPerSecond peak, BytesPerSecond bandwidth) {
  return std::max(Seconds(work / peak), Seconds(traffic / bandwidth));
}

FlopsPerByte ridge_point(FlopsPerSecond peak, BytesPerSecond bandwidth) {
  return peak / bandwidth;
}

Roof::Roof(const HardwareProfile& profile) : per_byte_(seconds_per_byte(profile)) {
  for (std::size_t i = 0; i < kComputePaths; ++i) {
    per_flop_[i] = profile.peaks[i]
                       ? SecondsPerFlop(1.0 / *profile.peaks[i])
                       : SecondsPerFlop::from_value(std::numeric_limits<double>::infinity());
  }
}

ResolvedPath resolve_path(const HardwareProfile& profile, const NumberFormat& weights,
                          const NumberFormat& activations) {
  const Wanted wanted = wanted_paths(weights, activations);
  std::optional<int> wanted_bits;
  for (const ComputePath path : wanted.paths) {
    if (!wanted.serves(path))
      continue;
    const int bits = operand_bits(path);
    if (!wanted_bits)
      wanted_bits = bits;
    if (!profile.peak(path))
      continue;
    return {.path = path,
            .weight_only = weights.element_bits < bits || !weights.native_operand,
            .missing = bits > *wanted_bits};
  }
  fail_no_path(profile, weights, activations);
}

PathChoice choose_paths(const HardwareProfile& profile, const PrecisionPlan& plan) {
  const ResolvedPath gemm = resolve_path(profile, *plan.weights, *plan.activations);
  const ResolvedPath head = resolve_path(profile, *plan.head, *plan.activations);
  const ResolvedPath attention = resolve_path(profile, *plan.kv, *plan.activations);
  return {.gemm = gemm.path,
          .head = head.path,
          .attention = attention.path,
          .gemm_weight_only = gemm.weight_only,
          .head_weight_only = head.weight_only,
          .quantise_activations = plan.activations->element_bits < 16};
}

}  // namespace roofcast
