#include "roofcast/hw/peak_check.hpp"

#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// One line per kind of unit. Columns are the paths in the order of ComputePath; 0: not native, or
/// not published. Tensor paths count FP32 accumulation at full rate.
struct UnitRates {
  std::string_view architecture;
  std::string_view capability;  ///< empty: every device of that architecture
  std::array<int, kComputePaths> operations;
};

// The order of the lines matters only where a capability stands before the rest of its
// architecture.
// clang-format off
constexpr std::array kUnitRates = {
//           architecture      cap.   64v  64t  32v  32t  tf32 16v   16t  a16 b16v  b16t    f8 f8a16    f6     f4   i8v   i8t    i4
UnitRates{"pascal",          "6.0",  {64,   0, 128,   0,    0, 256,    0,    0,   0,    0,     0,    0,     0,     0,   0,     0,    0}},
UnitRates{"volta",           "",     {64,   0, 128,   0,    0, 256, 1024, 1024,   0,    0,     0,    0,     0,     0, 512,     0,    0}},
UnitRates{"turing",          "",      {4,   0, 128,   0,    0, 256, 1024, 1024,   0,    0,     0,    0,     0,     0,   0,  2048, 4096}},
UnitRates{"ampere",          "",     {64, 128, 128,   0, 1024, 512, 2048, 2048, 256, 2048,     0,    0,     0,     0,   0,  4096, 8192}},
UnitRates{"ampere_ga10x",    "",      {4,   0, 256,   0,  512, 256, 1024, 1024, 256, 1024,     0,    0,     0,     0,   0,  2048, 4096}},
UnitRates{"ampere_ga10b",    "",      {0,   0, 256,   0, 1024,   0, 2048,    0,   0, 2048,     0,    0,     0,     0,   0,  4096,    0}},
UnitRates{"ada",             "",      {4,   0, 256,   0,  512, 256, 1024, 1024, 256, 1024,  2048, 2048,     0,     0,   0,  2048, 4096}},
UnitRates{"hopper",          "",    {128, 256, 256,   0, 2048, 512, 4096, 4096, 512, 4096,  8192, 8192,     0,     0,   0,  8192,    0}},
UnitRates{"blackwell",       "10.3",  {4,   4, 256,   0, 4096,   0, 8192,    0,   0, 8192, 16384,    0, 16384, 49152,   0,   512,    0}},
UnitRates{"blackwell",       "",    {128, 128, 256,   0, 4096,   0, 8192,    0,   0, 8192, 16384,    0, 16384, 32768,   0, 16384,    0}},
UnitRates{"blackwell_thor",  "",      {0,   0, 256,   0, 4096,   0, 8192,    0,   0, 8192, 16384,    0, 16384, 32768,   0,     0,    0}},
UnitRates{"blackwell_rtx",   "",      {4,   0, 256,   0,  512, 256, 1024, 1024, 256, 1024,  2048, 2048,  2048,  4096,   0,  2048,    0}},
UnitRates{"cdna1",           "",     {64,   0, 128, 256,    0,   0, 1024,    0,   0,  512,     0,    0,     0,     0,   0,  1024,    0}},
UnitRates{"cdna2",           "",    {128, 256, 128, 256,    0,   0, 1024,    0,   0, 1024,     0,    0,     0,     0,   0,  1024, 1024}},
UnitRates{"cdna3",           "",    {128, 256, 256, 256, 1024,   0, 2048,    0,   0, 2048,  4096,    0,     0,     0,   0,  4096,    0}},
UnitRates{"cdna4",           "",    {128, 128, 256, 256,    0,   0, 4096,    0,   0, 4096,  8192,    0, 16384, 16384,   0,  8192,    0}},
UnitRates{"rdna3",           "",      {0,   0, 256,   0,    0,   0,  512,    0,   0,  512,     0,    0,     0,     0,   0,   512, 1024}},
UnitRates{"rdna3_5",         "",      {0,   0, 256,   0,    0,   0,  512,    0,   0,  512,     0,    0,     0,     0,   0,   512, 1024}},
UnitRates{"rdna4",           "",      {0,   0, 256,   0,    0,   0, 1024,    0,   0, 1024,  2048,    0,     0,     0,   0,  2048, 4096}},
UnitRates{"xe_hpc",          "",    {256,   0, 256,   0, 2048,   0, 4096,    0,   0, 4096,     0,    0,     0,     0,   0,  8192,    0}},
UnitRates{"xe_hpg",          "",      {0,   0, 256,   0,    0,   0, 2048,    0,   0, 2048,     0,    0,     0,     0,   0,  4096, 8192}},
UnitRates{"xe2",             "",      {0,   0, 256,   0,    0,   0, 2048,    0,   0, 2048,     0,    0,     0,     0,   0,  4096, 8192}},
UnitRates{"apple_gpu",       "",      {0,   0, 256,   0,    0, 256,    0,    0,   0,    0,     0,    0,     0,     0,   0,     0,    0}},
UnitRates{"zen3",            "",     {16,   0,  32,   0,    0,   0,    0,    0,   0,    0,     0,    0,     0,     0,   0,     0,    0}},
UnitRates{"zen4",            "",     {16,   0,  32,   0,    0,   0,    0,    0,  64,    0,     0,    0,     0,     0, 128,     0,    0}},
UnitRates{"zen5",            "",     {32,   0,  64,   0,    0,   0,    0,    0, 128,    0,     0,    0,     0,     0, 256,     0,    0}},
UnitRates{"ice_lake",        "",     {32,   0,  64,   0,    0,   0,    0,    0,   0,    0,     0,    0,     0,     0, 256,     0,    0}},
UnitRates{"sapphire_rapids", "",     {32,   0,  64,   0,    0,   0,    0,    0,   0, 1024,     0,    0,     0,     0,   0,  2048,    0}},
UnitRates{"emerald_rapids",  "",     {32,   0,  64,   0,    0,   0,    0,    0,   0, 1024,     0,    0,     0,     0,   0,  2048,    0}},
UnitRates{"granite_rapids",  "",     {32,   0,  64,   0,    0,   0, 1024,    0,   0, 1024,     0,    0,     0,     0,   0,  2048,    0}},
UnitRates{"neoverse_v1",     "",     {16,   0,  32,   0,    0,   0,    0,    0, 128,    0,     0,    0,     0,     0, 256,     0,    0}},
UnitRates{"neoverse_v2",     "",     {16,   0,  32,   0,    0,   0,    0,    0, 128,    0,     0,    0,     0,     0, 256,     0,    0}},
};
// clang-format on

/// Paths that GeForce and its kin run at half rate when sums are kept in FP32.
constexpr std::array kHalvedByAccumulation = {ComputePath::tf32_tensor, ComputePath::fp16_tensor,
                                              ComputePath::bf16_tensor, ComputePath::fp8_tensor,
                                              ComputePath::fp6_tensor};

/// Slower first. A narrower format never runs slower on the same kind of unit.
constexpr std::array<std::pair<ComputePath, ComputePath>, 13> kOrder = {{
    {ComputePath::fp64_vector, ComputePath::fp32_vector},
    {ComputePath::fp32_vector, ComputePath::fp16_vector},
    {ComputePath::fp64_tensor, ComputePath::fp16_tensor},
    {ComputePath::fp32_tensor, ComputePath::fp16_tensor},
    {ComputePath::tf32_tensor, ComputePath::fp16_tensor},
    {ComputePath::fp16_tensor, ComputePath::fp16_acc16},
    {ComputePath::fp16_tensor, ComputePath::fp8_tensor},
    {ComputePath::bf16_tensor, ComputePath::fp8_tensor},
    {ComputePath::fp8_tensor, ComputePath::fp8_acc16},
    {ComputePath::fp8_tensor, ComputePath::fp6_tensor},
    {ComputePath::fp8_tensor, ComputePath::fp4_tensor},
    {ComputePath::fp6_tensor, ComputePath::fp4_tensor},
    {ComputePath::int8_tensor, ComputePath::int4_tensor},
}};

template <class Range, class T>
bool contains(const Range& range, const T& value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

bool is_exempt(const HardwareProfile& profile, ComputePath path) {
  return profile.exemption &&
         (profile.exemption->paths.empty() || contains(profile.exemption->paths, path));
}

/// The clock that peaks are held against, and how to speak of it.
struct Ruler {
  Hertz clock;
  std::string words;
};

std::optional<Ruler> find_ruler(const HardwareProfile& profile) {
  const auto& processors = profile.processors;
  if (processors.count == 0)
    return std::nullopt;
  if (processors.clock)
    return Ruler{*processors.clock, format(*processors.clock)};
  const auto vector_peak = profile.peak(ComputePath::fp32_vector);
  const auto vector_rate = operations_per_clock(profile, ComputePath::fp32_vector);
  if (!vector_peak || !vector_rate)
    return std::nullopt;
  const Hertz implied = *vector_peak / (static_cast<double>(processors.count) * *vector_rate);
  return Ruler{implied, "the " + format(implied) + " of its FP32 vector peak"};
}

std::string guess_cause(const HardwareProfile& profile, ComputePath path, double ratio) {
  const bool accumulates = contains(kHalvedByAccumulation, path);
  if (ratio > 1.8 && ratio < 2.2) {
    return profile.processors.half_accumulate && accumulates
               ? ": a sparse peak, or one with FP16 accumulation?"
               : ": a sparse peak?";
  }
  if (ratio > 3.6 && ratio < 4.4)
    return ": a sparse peak of the next narrower format?";
  if (ratio > 0.45 && ratio < 0.55 && accumulates && !profile.processors.half_accumulate) {
    return ": half rate with FP32 accumulation is said by 'fp32_accumulate: half'";
  }
  return "; check units, clock and path, or explain it in 'peaks_not_reproduced'";
}

/// Integer paths count operations: "3.96 POP/s".
std::string rate_text(ComputePath path, FlopsPerSecond rate) {
  std::string text = format(rate);
  if (const auto at = text.find("FLOP/s"); is_integer(path) && at != std::string::npos)
    text.erase(at, 2);
  return text;
}

void check_arithmetic(const HardwareProfile& profile, const Ruler& ruler, ComputePath path,
                      PeakCheck& result) {
  const auto operations = operations_per_clock(profile, path);
  if (!operations) {
    result.unchecked.push_back(path);
    return;
  }
  const FlopsPerSecond reach =
      static_cast<double>(profile.processors.count) * *operations * ruler.clock;
  const FlopsPerSecond stated = *profile.peak(path);
  const double ratio = stated / reach;
  if (std::fabs(ratio - 1.0) <= kPeakTolerance) {
    result.reproduced.push_back(path);
    return;
  }
  result.problems.push_back({path, fmt::format("{} is {:.2f} x the {} that {} units reach at {}{}",
                                               rate_text(path, stated), ratio,
                                               rate_text(path, reach), profile.processors.count,
                                               ruler.words, guess_cause(profile, path, ratio))});
}

void check_order(const HardwareProfile& profile, PeakCheck& result) {
  for (const auto& [slower, faster] : kOrder) {
    const auto low = profile.peak(slower);
    const auto high = profile.peak(faster);
    if (!low || !high || *low <= *high)
      continue;
    if (is_exempt(profile, slower) || is_exempt(profile, faster))
      continue;
    result.problems.push_back(
        {faster, fmt::format("{} is less than the {} of {}: dense and sparse "
                             "peaks mixed?",
                             rate_text(faster, *high), rate_text(slower, *low), name(slower))});
  }
}

}  // namespace

std::optional<Flops> operations_per_clock(const HardwareProfile& profile, ComputePath path) {
  const auto row = std::find_if(kUnitRates.begin(), kUnitRates.end(), [&](const UnitRates& rates) {
    return rates.architecture == profile.architecture &&
           (rates.capability.empty() || rates.capability == profile.compute_capability);
  });
  if (row == kUnitRates.end())
    return std::nullopt;
  const int full = row->operations[static_cast<std::size_t>(path)];
  if (full == 0)
    return std::nullopt;
  const bool halved = profile.processors.half_accumulate && contains(kHalvedByAccumulation, path);
  return flops(halved ? full / 2.0 : static_cast<double>(full));
}

PeakCheck check_peaks(const HardwareProfile& profile) {
  PeakCheck result;
  const auto ruler = find_ruler(profile);
  for (std::size_t i = 0; i < kComputePaths; ++i) {
    const auto path = static_cast<ComputePath>(i);
    if (!profile.peak(path))
      continue;
    if (is_exempt(profile, path)) {
      result.exempted.push_back(path);
    } else if (!ruler) {
      result.unchecked.push_back(path);
    } else {
      check_arithmetic(profile, *ruler, path, result);
    }
  }
  if (result.problems.empty())
    check_order(profile, result);
  return result;
}

}  // namespace roofcast
