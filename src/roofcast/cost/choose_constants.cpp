#include "roofcast/base/error.hpp"
#include "roofcast/cost/fit_constants.hpp"

#include <algorithm>

namespace roofcast {
namespace {

using C = OperandClass;

/// Which set of constants serves an architecture, and whether it was measured on it.
struct Serves {
  std::string_view architecture;
  std::string_view set;
  bool measured;
};

constexpr Serves kServes[] = {
    {"hopper", "hopper", true},
    {"ampere", "ampere", true},
    {"ampere_ga10x", "ampere_ga10x", true},
    {"ampere_ga10b", "ampere_ga10x", false},
    {"ada", "ada", true},
    {"blackwell", "blackwell", true},
    {"blackwell_rtx", "blackwell_rtx", true},
    {"blackwell_thor", "blackwell_rtx", false},
    {"pascal", "ampere", false},
    {"volta", "ampere", false},
    {"turing", "ampere_ga10x", false},
    {"cdna1", "cdna", false},
    {"cdna2", "cdna", false},
    {"cdna3", "cdna", true},
    {"cdna4", "cdna", false},
    {"cdna5", "cdna", false},
    {"rubin", "blackwell", false},
    {"zen3", "cpu", false},
    {"zen4", "cpu", false},
    {"zen5", "cpu", false},
    {"ice_lake", "cpu", false},
    {"sapphire_rapids", "cpu", false},
    {"emerald_rapids", "cpu", false},
    {"granite_rapids", "cpu", false},
    {"neoverse_v1", "cpu", false},
    {"neoverse_v2", "cpu", false},
};

/// Where a set has no row for a kind of kernel: the set to look in next.
std::string_view donor(std::string_view set) {
  if (set == "geforce" || set == "ada" || set == "ampere_ga10x")
    return "blackwell_rtx";
  return set == "hopper" ? "" : "hopper";
}

/// GeForce and a few others run tensor products at half rate when they accumulate in FP32. That
/// rate is easier to reach, so that they have constants of their own.
bool half_rate(const HardwareProfile& profile) {
  const auto narrow = profile.peak(ComputePath::fp16_acc16);
  const auto wide = profile.peak(ComputePath::fp16_tensor);
  return narrow && wide && *narrow > 1.5 * *wide;
}

Serves serving(const HardwareProfile& profile) {
  if (profile.vendor == "NVIDIA" && half_rate(profile)) {
    return {profile.architecture, "geforce", profile.architecture == "ada"};
  }
  for (const Serves& each : kServes) {
    if (each.architecture == profile.architecture)
      return each;
  }
  return {profile.architecture, "hopper", false};
}

/// Held-out measured / predicted, 10th and 90th percentile, of Hopper's constants on A100, A40, RTX
/// 4090, B200, GB200 and RTX PRO 6000, each architecture with the same weight.
struct Transfer {
  Band small;
  Band large;
};

Transfer transfer_band(OperatorKind kind, OperandClass operands) {
  const bool wide = operands == OperandClass::wide;
  switch (kind) {
    case OperatorKind::gemm:
      return wide ? Transfer{{0.70, 1.62}, {0.83, 1.26}} : Transfer{{0.76, 2.13}, {0.72, 1.43}};
    case OperatorKind::quantise:
      return {{0.76, 2.13}, {0.72, 1.43}};
    case OperatorKind::attention_decode:
      return {{0.55, 1.72}, {0.55, 1.72}};
    case OperatorKind::attention_prefill:
      return wide ? Transfer{{0.58, 1.81}, {0.58, 1.81}} : Transfer{{0.45, 1.90}, {0.45, 1.90}};
    case OperatorKind::stream:
      return {{0.38, 1.52}, {0.38, 1.52}};
  }
  throw InternalError("an operator kind without a transfer band");
}

/// No transfer to another vendor has been measured; what it adds is a judgement.
constexpr double kOtherVendor = 1.3;

/// The classes that may stand in for one, the nearest first.
std::span<const OperandClass> stand_ins(OperandClass operands) {
  static constexpr OperandClass kWide[] = {C::wide};
  static constexpr OperandClass kByte[] = {C::byte, C::byte_expanded, C::wide};
  static constexpr OperandClass kNibble[] = {C::nibble, C::byte, C::byte_expanded, C::wide};
  static constexpr OperandClass kByteExpanded[] = {C::byte_expanded, C::wide, C::byte};
  static constexpr OperandClass kNibbleExpanded[] = {C::nibble_expanded, C::byte_expanded, C::wide,
                                                     C::byte};
  switch (operands) {
    case C::wide:
      return kWide;
    case C::byte:
      return kByte;
    case C::nibble:
      return kNibble;
    case C::byte_expanded:
      return kByteExpanded;
    case C::nibble_expanded:
      return kNibbleExpanded;
  }
  throw InternalError("an operand class without stand-ins");
}

const FitConstants* find_row(std::string_view set, OperatorKind kind, OperandClass operands) {
  const auto table = fit_constants();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) {
    return row.set == set && row.kind == kind && row.operands == operands;
  });
  return found == table.end() ? nullptr : &*found;
}

/// The class exactly, in the own set and then in its donors; failing that, what may stand in for
/// it.
const FitConstants* nearest_row(std::string_view own, OperatorKind kind, OperandClass operands) {
  for (const OperandClass candidate : stand_ins(operands)) {
    for (std::string_view set = own; !set.empty(); set = donor(set)) {
      if (const FitConstants* row = find_row(set, kind, candidate))
        return row;
      if (set == "cpu")
        break;
    }
  }
  // A stream has one class; whatever its width, it takes that one.
  return find_row("hopper", kind, kind == OperatorKind::quantise ? C::byte : C::wide);
}

ChosenConstants choose(const HardwareProfile& profile, const Serves& serves, OperatorKind kind,
                       OperandClass operands) {
  const FitConstants* row = nearest_row(serves.set, kind, operands);
  ROOFCAST_CHECK(row != nullptr);
  const bool own_class = row->operands == operands || kind == OperatorKind::stream;
  const bool borrowed = !serves.measured || row->set != serves.set || !own_class;
  ChosenConstants chosen{row, borrowed, row->small, row->large};
  if (!borrowed || row->held_out == 0)
    return chosen;
  const Transfer transfer = transfer_band(kind, operands);
  const double widening = profile.vendor == "NVIDIA" ? 1.0 : kOtherVendor;
  const auto widened = [widening](Band band) {
    return Band{band.low / widening, band.high * widening};
  };
  chosen.small = widened(transfer.small);
  chosen.large = widened(transfer.large);
  return chosen;
}

}  // namespace

ChosenTable choose_constants(const HardwareProfile& profile) {
  const Serves serves = serving(profile);
  ChosenTable table;
  for (std::size_t kind = 0; kind < kOperatorKinds; ++kind) {
    for (std::size_t operands = 0; operands < kOperandClasses; ++operands) {
      table[kind][operands] = choose(profile, serves, static_cast<OperatorKind>(kind),
                                     static_cast<OperandClass>(operands));
    }
  }
  return table;
}

}  // namespace roofcast
