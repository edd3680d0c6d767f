#include "roofcast/hw/peak_check.hpp"

#include <algorithm>
#include <string>

#include "support/profiles.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

HardwareProfile device(const char* architecture, std::int64_t units, double megahertz) {
  HardwareProfile profile;
  profile.name = architecture;
  profile.architecture = architecture;
  profile.processors.count = units;
  profile.processors.clock = Hertz::from_value(megahertz * 1e6);
  return profile;
}

void set_peak(HardwareProfile& profile, ComputePath path, double tera) {
  profile.peaks[static_cast<std::size_t>(path)] = FlopsPerSecond::from_value(tera * 1e12);
}

bool refuses(const HardwareProfile& profile, ComputePath path) {
  const PeakCheck check = check_peaks(profile);
  return std::any_of(check.problems.begin(), check.problems.end(),
                     [&](const PeakProblem& problem) { return problem.path == path; });
}

// GA100: 108 SMs x 1410 MHz x 2048 FLOP = 311.9 TFLOP/s; the sheet says 312, and 624 sparse.
TEST_CASE("peak check: A100 reaches 312 TFLOP/s and not the 624 of sparsity") {
  HardwareProfile a100 = device("ampere", 108, 1410);
  set_peak(a100, ComputePath::bf16_tensor, 312);
  CHECK(check_peaks(a100).problems.empty());
  CHECK(check_peaks(a100).reproduced == std::vector<ComputePath>{ComputePath::bf16_tensor});
  set_peak(a100, ComputePath::bf16_tensor, 624);
  REQUIRE(check_peaks(a100).problems.size() == 1);
  CHECK(check_peaks(a100).problems[0].message ==
        "624 TFLOP/s is 2.00 x the 312 TFLOP/s that 108 units reach at 1.41 GHz: a sparse peak?");
}

// AD102: 128 SMs x 2520 MHz x 1024 FLOP = 330.3 TFLOP/s with FP16 sums; half of it with FP32 sums.
// INT8 and FP16 accumulation are not halved.
TEST_CASE("peak check: FP32 accumulation halves the floating-point tensor paths of GeForce") {
  HardwareProfile card = device("ada", 128, 2520);
  card.processors.half_accumulate = true;
  set_peak(card, ComputePath::fp16_tensor, 165.2);
  set_peak(card, ComputePath::fp16_acc16, 330.3);
  set_peak(card, ComputePath::int8_tensor, 660.6);
  CHECK(check_peaks(card).problems.empty());
  set_peak(card, ComputePath::fp16_tensor, 330.3);
  CHECK(refuses(card, ComputePath::fp16_tensor));
}

// B300: 148 SMs, no clock stated. Its 76 TFLOP/s of vector FP32 at 256 FLOP imply 2006 MHz, at
// which the tensor cores reach 148 x 2006e6 x 8192 = 2432 TFLOP/s; the sheet says 2250 (0.93), 4500
// sparse.
TEST_CASE("peak check: without a clock the vector peak is the ruler") {
  HardwareProfile b300 = device("blackwell", 148, 1);
  b300.processors.clock.reset();
  b300.compute_capability = "10.3";
  set_peak(b300, ComputePath::fp32_vector, 76);
  set_peak(b300, ComputePath::bf16_tensor, 2250);
  CHECK(check_peaks(b300).problems.empty());
  set_peak(b300, ComputePath::bf16_tensor, 4500);
  CHECK(refuses(b300, ComputePath::bf16_tensor));
}

// 18 PFLOP/s is what B300 reaches with sparsity: 1.33 times the dense 13.5, so halving it (9) is
// wrong too.
TEST_CASE("peak check: NVFP4 of B300 is six times BF16") {
  HardwareProfile b300 = device("blackwell", 148, 1856);
  b300.compute_capability = "10.3";
  set_peak(b300, ComputePath::fp4_tensor, 13500);
  CHECK(check_peaks(b300).problems.empty());
  for (const double wrong : {18000.0, 9000.0}) {
    set_peak(b300, ComputePath::fp4_tensor, wrong);
    CHECK(refuses(b300, ComputePath::fp4_tensor));
  }
}

TEST_CASE("peak check: a narrower format is never slower on the same unit") {
  HardwareProfile chip = device("my_own", 1, 1000);
  set_peak(chip, ComputePath::fp16_tensor, 400);
  set_peak(chip, ComputePath::fp8_tensor, 200);
  CHECK(refuses(chip, ComputePath::fp8_tensor));
  CHECK(check_peaks(chip).unchecked.size() == 2);
  set_peak(chip, ComputePath::fp8_tensor, 400);
  CHECK(check_peaks(chip).problems.empty());
  chip.exemption = PeakExemption{{ComputePath::fp8_tensor}, "a test"};
  set_peak(chip, ComputePath::fp8_tensor, 200);
  CHECK(check_peaks(chip).problems.empty());
}

TEST_CASE("peak check: unknown architectures and units that are not published go unchecked") {
  HardwareProfile chip = device("hopper", 0, 1830);
  set_peak(chip, ComputePath::fp16_tensor, 1978.9);
  CHECK(check_peaks(chip).problems.empty());
  CHECK(check_peaks(chip).unchecked == std::vector<ComputePath>{ComputePath::fp16_tensor});
  CHECK_FALSE(operations_per_clock(device("my_own", 1, 1), ComputePath::fp16_tensor));
  CHECK_FALSE(operations_per_clock(device("hopper", 1, 1), ComputePath::int4_tensor));
}

// The check would be worth nothing where a doubled value passes: each peak that it claims to
// reproduce is doubled and halved, in every profile that ships.
TEST_CASE("peak check: any reproduced peak of any profile is refused when doubled or halved") {
  std::size_t tried = 0;
  for (const HardwareProfile& profile : test::all_profiles()) {
    for (const ComputePath path : check_peaks(profile).reproduced) {
      // Without a clock the vector FP32 peak is what the others are held against.
      if (!profile.processors.clock && path == ComputePath::fp32_vector)
        continue;
      for (const double factor : {2.0, 0.5}) {
        HardwareProfile wrong = profile;
        auto& peak = wrong.peaks[static_cast<std::size_t>(path)];
        peak = factor * *peak;
        INFO(profile.name, " ", std::string(name(path)), " x ", factor);
        CHECK(refuses(wrong, path));
        ++tried;
      }
    }
  }
  CHECK(tried > 1000);
}

}  // namespace
}  // namespace roofcast
