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

/// Only devices with a path narrower than FP8 scale operands by blocks inside a product (tcgen05
/// mxf8f6f4, CDNA4's scaled MFMA); elsewhere microscaled operands are expanded to 16 bits, since
/// FP8 does not hold their scales.
bool scales_blocks(const HardwareProfile& profile) {
  const auto has = [&](ComputePath path) {
    return profile.peak(path).has_value() || profile.is_unpublished(path);
  };
  return has(ComputePath::fp4_tensor) || has(ComputePath::fp6_tensor);
}

struct Product {
  const NumberFormat& weights;
  const NumberFormat& activations;
  bool scaled_blocks;

  /// Whether the values of both fit the path; `rounded`: also after rounding.
  [[nodiscard]] bool runs_on(ComputePath path, bool rounded) const {
    return operand_on(weights, path, rounded) && operand_on(activations, path, rounded);
  }

  [[nodiscard]] bool operand_on(const NumberFormat& format, ComputePath path, bool rounded) const {
    if (rounded && contains(format.rounding_paths, path))
      return true;
    const bool scales = format.kind != FormatKind::microscaling || scaled_blocks;
    return contains(format.paths, path) && (scales || operand_bits(path) >= 16);
  }

  /// Width of the narrowest path that could serve if the device had all [bit].
  [[nodiscard]] int wanted_bits() const {
    return std::max(operand_bits(weights.paths.front()), operand_bits(activations.paths.front()));
  }
};

/// The paths of the activations in their order, those that round last.
template <class Visit>
void for_each_path(const Product& product, bool rounded, Visit visit) {
  for (const ComputePath path : product.activations.paths) {
    if (product.runs_on(path, rounded))
      visit(path);
  }
  if (!rounded)
    return;
  for (const ComputePath path : product.activations.rounding_paths) {
    if (product.runs_on(path, rounded))
      visit(path);
  }
}

struct Candidates {
  std::optional<ComputePath> first;        ///< the narrowest that the device has
  std::optional<ComputePath> fastest;      ///< the narrowest of the fastest
  std::optional<ComputePath> unpublished;  ///< before all others, without a peak
};

Candidates candidates(const HardwareProfile& profile, const Product& product, bool rounded) {
  Candidates found;
  for_each_path(product, rounded, [&](ComputePath path) {
    const auto peak = profile.peak(path);
    if (!peak) {
      if (!found.first && !found.unpublished && profile.is_unpublished(path))
        found.unpublished = path;
      return;
    }
    if (!found.first)
      found.first = path;
    if (!found.fastest || *peak > *profile.peak(*found.fastest))
      found.fastest = path;
  });
  return found;
}

[[noreturn]] void fail_unpublished(const HardwareProfile& profile, const Product& product,
                                   ComputePath path) {
  const std::string key(name(path));
  throw ConfigError("the peak of " + profile.name + " in " + key + " is not published, and " +
                    std::string(product.weights.name) + " weights and " +
                    std::string(product.activations.name) +
                    " activations are multiplied there: put a measured or quoted compute." + key +
                    " into a copy of the profile, and name that file instead");
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
  const Product product{weights, activations, scales_blocks(profile)};
  const int wanted = product.wanted_bits();
  Candidates found = candidates(profile, product, false);
  if (found.unpublished)
    fail_unpublished(profile, product, *found.unpublished);
  // Rounding is for what the device does not have at all: FP16 on a TPU.
  if (!found.fastest || operand_bits(*found.first) > wanted)
    found = candidates(profile, product, true);
  if (found.unpublished)
    fail_unpublished(profile, product, *found.unpublished);
  if (!found.fastest)
    fail_no_path(profile, weights, activations);
  const ComputePath path = *found.fastest;
  const int bits = operand_bits(path);
  ResolvedPath resolved{.path = path,
                        .weight_only = weights.element_bits < bits || !weights.native_operand,
                        .missing = bits > wanted || !product.runs_on(path, false),
                        .slower = std::nullopt};
  if (operand_bits(*found.first) < bits)
    resolved.slower = found.first;
  return resolved;
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
