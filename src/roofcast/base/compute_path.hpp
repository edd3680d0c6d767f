#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace roofcast {

/// A way in which a device multiplies: number format and unit. Peaks are dense, with FP32
/// accumulation for the tensor paths unless the name says otherwise. The names are the keys of
/// `compute:` in a hardware profile.
enum class ComputePath {
  fp64_vector,
  fp64_tensor,
  fp32_vector,
  fp32_tensor,
  tf32_tensor,
  fp16_vector,
  fp16_tensor,
  fp16_acc16,
  bf16_vector,
  bf16_tensor,
  fp8_tensor,
  fp8_acc16,
  fp6_tensor,
  fp4_tensor,
  int8_vector,
  int8_tensor,
  int4_tensor,
};

inline constexpr std::size_t kComputePaths = 17;

inline constexpr std::array<std::string_view, kComputePaths> kComputePathNames = {
    "fp64_vector", "fp64_tensor", "fp32_vector", "fp32_tensor", "tf32_tensor", "fp16_vector",
    "fp16_tensor", "fp16_acc16",  "bf16_vector", "bf16_tensor", "fp8_tensor",  "fp8_acc16",
    "fp6_tensor",  "fp4_tensor",  "int8_vector", "int8_tensor", "int4_tensor"};

constexpr std::string_view name(ComputePath path) {
  return kComputePathNames[static_cast<std::size_t>(path)];
}

/// Integer paths count operations (OP/s); the others floating-point operations (FLOP/s).
constexpr bool is_integer(ComputePath path) {
  return path == ComputePath::int8_vector || path == ComputePath::int8_tensor ||
         path == ComputePath::int4_tensor;
}

constexpr std::optional<ComputePath> find_compute_path(std::string_view wanted) {
  for (std::size_t i = 0; i < kComputePaths; ++i) {
    if (kComputePathNames[i] == wanted)
      return static_cast<ComputePath>(i);
  }
  return std::nullopt;
}

}  // namespace roofcast
