#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "support/near.hpp"
#include "support/profiles.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

using test::near;
using test::profile_of;
using test::within;

double tera(std::string_view device, ComputePath path) {
  const auto peak = profile_of(device).peak(path);
  return peak ? peak->value() / 1e12 : 0.0;
}

double gigabytes_per_second(std::string_view device) {
  return profile_of(device).memory.bandwidth.value() / 1e9;
}

double mebibytes(std::string_view device) {
  return profile_of(device).memory.capacity.value().value() / 1048576.0;
}

struct RightAndWrong {
  const char* device;
  ComputePath path;
  double right;  ///< TFLOP/s or TOP/s, dense, FP32 accumulation
  double wrong;  ///< as found in other tools or on a front page
};

// Right: vendors' sheets, dense. Wrong: sparse rates, FP16 accumulation, other variants, vector
// rates.
constexpr std::array kPeaks = {
    RightAndWrong{"a100-sxm4-80", ComputePath::bf16_tensor, 312, 77.97},
    RightAndWrong{"a100-sxm4-80", ComputePath::int8_tensor, 624, 1248},
    RightAndWrong{"h100-sxm5-80", ComputePath::bf16_tensor, 989.4, 1979},
    RightAndWrong{"h100-sxm5-80", ComputePath::fp8_tensor, 1978.9, 3958},
    RightAndWrong{"h100-sxm5-80", ComputePath::tf32_tensor, 494.7, 156},
    RightAndWrong{"h100-pcie-80", ComputePath::bf16_tensor, 756, 989},
    RightAndWrong{"h200", ComputePath::bf16_tensor, 989.4, 241.3},
    RightAndWrong{"gh200", ComputePath::bf16_tensor, 989.4, 1979},
    RightAndWrong{"b100", ComputePath::bf16_tensor, 1750, 3500},
    RightAndWrong{"b200", ComputePath::bf16_tensor, 2250, 4500},
    RightAndWrong{"b200", ComputePath::fp4_tensor, 9000, 18000},
    RightAndWrong{"gb200", ComputePath::bf16_tensor, 2500, 4500},
    RightAndWrong{"b300", ComputePath::fp4_tensor, 13500, 18000},
    RightAndWrong{"b300", ComputePath::int8_tensor, 153.5, 4500},
    RightAndWrong{"gb300", ComputePath::int8_tensor, 165, 5000},
    RightAndWrong{"h20", ComputePath::bf16_tensor, 148, 74},
    RightAndWrong{"l4", ComputePath::bf16_tensor, 121, 242},
    RightAndWrong{"l4", ComputePath::fp8_tensor, 242, 485},
    RightAndWrong{"l40s", ComputePath::fp8_tensor, 733, 1466},
    RightAndWrong{"l40", ComputePath::bf16_tensor, 181.05, 362.05},
    RightAndWrong{"a10g", ComputePath::bf16_tensor, 70, 125},
    RightAndWrong{"v100-sxm2-32", ComputePath::fp16_tensor, 125, 112},
    RightAndWrong{"rtx-4090", ComputePath::bf16_tensor, 165.2, 330.3},
    RightAndWrong{"rtx-4090", ComputePath::fp8_tensor, 330.3, 660.6},
    RightAndWrong{"rtx-4080", ComputePath::bf16_tensor, 97.5, 63.9},
    RightAndWrong{"rtx-3090", ComputePath::bf16_tensor, 71.2, 142.3},
    RightAndWrong{"rtx-5090", ComputePath::bf16_tensor, 209.5, 419},
    RightAndWrong{"rtx-2080-ti", ComputePath::fp16_tensor, 53.8, 107.6},
    RightAndWrong{"rtx-a6000", ComputePath::bf16_tensor, 154.8, 77},
    RightAndWrong{"rtx-6000-ada", ComputePath::bf16_tensor, 364.2, 182},
    RightAndWrong{"gb10", ComputePath::fp4_tensor, 500, 1000},
    RightAndWrong{"jetson-agx-orin", ComputePath::int8_tensor, 85, 275},
    RightAndWrong{"mi100", ComputePath::int8_tensor, 184.6, 369.2},
    RightAndWrong{"mi210", ComputePath::int8_tensor, 181, 362},
    RightAndWrong{"mi300x", ComputePath::bf16_tensor, 1307.4, 2614.9},
    RightAndWrong{"mi300x", ComputePath::fp8_tensor, 2614.9, 5229.8},
    RightAndWrong{"mi355x", ComputePath::bf16_tensor, 2516.6, 2300},
    RightAndWrong{"mi350x", ComputePath::bf16_tensor, 2306.9, 2516.6},
    RightAndWrong{"rx-9070-xt", ComputePath::int8_tensor, 389.3, 779},
    RightAndWrong{"gaudi3", ComputePath::bf16_tensor, 1677, 1835},
    RightAndWrong{"tpu-v6e", ComputePath::bf16_tensor, 918, 926},
    RightAndWrong{"trainium2", ComputePath::fp8_tensor, 1299, 2563},
    RightAndWrong{"ascend-910b", ComputePath::fp16_tensor, 376, 160},
};

TEST_CASE("profile facts: peaks are dense, with FP32 accumulation") {
  for (const RightAndWrong& row : kPeaks) {
    INFO(row.device, " ", std::string(name(row.path)));
    CHECK(near(tera(row.device, row.path), row.right, 1e-3));
    CHECK_FALSE(near(tera(row.device, row.path), row.wrong, 5e-3));
  }
}

struct Bandwidth {
  const char* device;
  double right;  ///< GB/s
  double wrong;
};

// Wrong: pre-launch papers, other variants, sheet values times 2^30 / 10^9.
constexpr std::array kBandwidths = {
    Bandwidth{"p100", 732, 720},
    Bandwidth{"v100", 900, 897},
    Bandwidth{"t4", 320, 300},
    Bandwidth{"a100-sxm4-40", 1555, 1600},
    Bandwidth{"a100-sxm4-80", 2039, 2039 * 1.073741824},
    Bandwidth{"a100-pcie-80", 1935, 2039},
    Bandwidth{"l4", 300, 3350},
    Bandwidth{"h100-sxm5-80", 3350, 3072},
    Bandwidth{"h100-pcie-80", 2039, 3350},
    Bandwidth{"h100-nvl", 3938, 7800},
    Bandwidth{"b200", 7700, 8000},
    Bandwidth{"gb200", 8000, 16000},
    Bandwidth{"rtx-a4000", 448, 768},
    Bandwidth{"gb10", 273, 287},
    Bandwidth{"mi250x-card", 3276.8, 3200},
    Bandwidth{"rx-9070-xt", 640, 624},
    Bandwidth{"rx-9070", 640, 488},
    Bandwidth{"m3-max-30", 307.2, 400},
    Bandwidth{"m3-max-40", 409.6, 400},
    Bandwidth{"m4-max-40", 546, 600},
    Bandwidth{"m4-pro", 273, 300},
    Bandwidth{"m4", 120, 150},
    Bandwidth{"m3-pro", 153.6, 200},
    Bandwidth{"m1", 68.25, 200},
    Bandwidth{"ascend-910b", 1600, 2000},
};

TEST_CASE("profile facts: bandwidths are those of the variant, in decimal GB") {
  for (const Bandwidth& row : kBandwidths) {
    INFO(row.device);
    CHECK(near(gigabytes_per_second(row.device), row.right, 1e-4));
    CHECK_FALSE(near(gigabytes_per_second(row.device), row.wrong, 2e-3));
  }
}

// What drivers report as total, to the MiB; GDDR6 gives 1/16 to ECC, HBM nothing.
TEST_CASE("profile facts: usable memory is what the driver reports") {
  const std::pair<const char*, double> usable[] = {
      {"a100-sxm4-80", 81920}, {"a100-sxm4-40", 40536}, {"h100-sxm5-80", 81559},
      {"h100-nvl", 95830},     {"h20", 97871},          {"gh200", 97871},
      {"h200", 143771},        {"b200", 183359},        {"gb200", 189471},
      {"b300", 275040},        {"gb300", 284208},       {"rtx-pro-6000-server", 97887},
      {"t4", 15360},           {"a10", 23028},          {"a10g", 23028},
      {"l4", 23034},           {"a40", 46068},          {"l40s", 46068},
      {"rtx-a6000", 49140},    {"rtx-4090", 24564},     {"rtx-5090", 32607}};
  for (const auto& each : usable) {
    INFO(each.first);
    CHECK(mebibytes(each.first) == each.second);
  }
  // 140.4 GiB, not the 141 that some tools take from the name.
  CHECK(near(mebibytes("h200") / 1024.0, 140.4, 1e-3));
  // Shipped with 256 GB though announced with 288.
  CHECK(mebibytes("mi325x") < 256.0 * 1024.0);
  // By default Metal gives the GPU three quarters of 128 GB.
  CHECK(mebibytes("m3-max-40") == 96.0 * 1024.0);
}

struct Ridge {
  const char* device;
  ComputePath path;
  double flop_per_byte;  ///< rounded to a whole number
};

// Dense peak / nominal bandwidth of the sheets: 312e12 / 2039e9 = 153 and so on.
constexpr std::array kRidges = {
    Ridge{"v100-sxm2-32", ComputePath::fp16_tensor, 139},
    Ridge{"v100-sxm2-32", ComputePath::int8_vector, 70},
    Ridge{"t4", ComputePath::fp16_tensor, 203},
    Ridge{"t4", ComputePath::int8_tensor, 406},
    Ridge{"a100-sxm4-80", ComputePath::bf16_tensor, 153},
    Ridge{"a100-sxm4-80", ComputePath::int8_tensor, 306},
    Ridge{"a10g", ComputePath::bf16_tensor, 117},
    Ridge{"l4", ComputePath::bf16_tensor, 403},
    Ridge{"l4", ComputePath::fp8_tensor, 807},
    Ridge{"l40s", ComputePath::bf16_tensor, 419},
    Ridge{"l40s", ComputePath::fp8_tensor, 848},
    Ridge{"h100-sxm5-80", ComputePath::bf16_tensor, 295},
    Ridge{"h100-sxm5-80", ComputePath::fp8_tensor, 591},
    Ridge{"h20-96", ComputePath::bf16_tensor, 37},
    Ridge{"h20-96", ComputePath::fp8_tensor, 74},
    Ridge{"h200-sxm-141", ComputePath::bf16_tensor, 206},
    Ridge{"h200-sxm-141", ComputePath::fp8_tensor, 412},
    Ridge{"b200-sxm-180", ComputePath::bf16_tensor, 292},
    Ridge{"b200-sxm-180", ComputePath::fp4_tensor, 1169},
    Ridge{"gb300-288", ComputePath::bf16_tensor, 312},
    Ridge{"gb300-288", ComputePath::fp4_tensor, 1875},
    Ridge{"gb300-288", ComputePath::int8_tensor, 21},
    Ridge{"rtx-3090", ComputePath::bf16_tensor, 76},
    Ridge{"rtx-4090", ComputePath::bf16_tensor, 164},
    Ridge{"rtx-4090", ComputePath::fp8_tensor, 328},
    Ridge{"rtx-5090", ComputePath::bf16_tensor, 117},
    Ridge{"rtx-5090", ComputePath::fp4_tensor, 935},
    Ridge{"mi300x", ComputePath::bf16_tensor, 247},
    Ridge{"mi300x", ComputePath::fp8_tensor, 493},
    Ridge{"mi355x", ComputePath::bf16_tensor, 315},
    Ridge{"mi355x", ComputePath::fp4_tensor, 1258},
    Ridge{"tpu-v5e", ComputePath::bf16_tensor, 241},
    Ridge{"tpu-v6e", ComputePath::int8_tensor, 1120},
    Ridge{"trainium2", ComputePath::bf16_tensor, 230},
    Ridge{"trainium2", ComputePath::fp8_tensor, 448},
};

TEST_CASE("profile facts: ridge points agree with the sheets") {
  for (const Ridge& row : kRidges) {
    INFO(row.device, " ", std::string(name(row.path)));
    const HardwareProfile& profile = profile_of(row.device);
    const double ridge = profile.peak(row.path).value().value() / profile.memory.bandwidth.value();
    CHECK(within(ridge, row.flop_per_byte, 0.51));
  }
}

// Sheets print NVLink in both directions: 600, 900 and 1800 GB/s. Export variants have 8 links.
TEST_CASE("profile facts: links count one direction") {
  const std::pair<const char*, double> links[] = {
      {"a100", 300e9}, {"a800", 200e9}, {"h100", 450e9},  {"h800", 200e9},
      {"h20", 450e9},  {"b200", 900e9}, {"mi300x", 448e9}};
  for (const auto& each : links) {
    INFO(each.first);
    REQUIRE_FALSE(profile_of(each.first).links.empty());
    CHECK(profile_of(each.first).links[0].per_direction.value().value() == each.second);
  }
  for (const char* device : {"l4", "l40s", "rtx-4090", "rtx-5090", "rtx-6000-ada"}) {
    INFO(device);
    CHECK(profile_of(device).links.size() == 1);
    CHECK(profile_of(device).links[0].kind == "pcie");
  }
}

}  // namespace
}  // namespace roofcast
