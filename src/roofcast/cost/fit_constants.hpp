#pragma once

#include "roofcast/cost/cost_model.hpp"
#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/operator.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace roofcast {

/// Width of the narrower operand of a kernel, and whether it has to be expanded to its path's
/// width.
enum class OperandClass { wide, byte, nibble, byte_expanded, nibble_expanded };

inline constexpr std::size_t kOperandClasses = 5;
inline constexpr std::size_t kOperatorKinds = 5;

std::string_view name(OperandClass operands);
OperandClass operand_class(const Operator& op);

/// Constants of level `fit` for one kind of kernel: docs/model.md Eq. 10,
///   T = fixed + (c^p + m^p)^(1/p),  c = work / (compute x peak),  m = bytes / (memory x
///   bandwidth),
/// and, for attention, + queries and outputs / (activations x bandwidth).
struct FitConstants {
  std::string_view set;  ///< the architecture that they were measured on
  OperatorKind kind;
  OperandClass operands;
  double compute;      ///< share of the dense peak that a large product reaches, in (0, 1)
  double memory;       ///< share of the bandwidth, in (0, 1)
  double activations;  ///< 0: the activations are among the bytes of the memory term
  double fixed_us;     ///< per run [us]
  double exponent;     ///< p >= 1
  Band small;          ///< band where the larger term is below kSmall x fixed
  Band large;
  int held_out;  ///< measurements behind the bands; 0: a judgement, not a measurement
  std::string_view source;
};

/// Where small kernels, ruled by their fixed cost, end: their band is twice as wide, and goes over
/// into that of large ones from half of it to twice it.
inline constexpr double kSmall = 4.0;

/// The whole table: docs/adr/0007-constants-of-the-fit-level.md has the method.
std::span<const FitConstants> fit_constants();

/// The row for one kind of kernel on one device, and whether it was measured on another
/// architecture.
struct ChosenConstants {
  const FitConstants* row = nullptr;
  bool borrowed = false;
  Band small;  ///< of the row, or of a transfer between architectures where the row is borrowed
  Band large;
};

using ChosenTable = std::array<std::array<ChosenConstants, kOperandClasses>, kOperatorKinds>;

/// Rows for every kind and class: the architecture's own, else those of the nearest one.
ChosenTable choose_constants(const HardwareProfile& profile);

}  // namespace roofcast
