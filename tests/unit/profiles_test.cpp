#include "support/profiles.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/cost/cost_model.hpp"
#include "roofcast/hw/peak_check.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace roofcast {
namespace {

using test::all_profiles;
using test::profile_of;

/// Short names under which people ask for the devices that ship.
constexpr const char* kIds[] = {"p100-sxm2-16",
                                "p100-pcie-16",
                                "v100-sxm2-16",
                                "v100-pcie-16",
                                "v100-sxm2-32",
                                "v100-pcie-32",
                                "v100s-pcie-32",
                                "t4",
                                "a100-sxm4-40",
                                "a100-sxm4-80",
                                "a100-pcie-40",
                                "a100-pcie-80",
                                "a800-sxm4-80",
                                "a800-pcie-80",
                                "a30",
                                "a40",
                                "a10",
                                "a10g",
                                "a16-per-gpu",
                                "a2",
                                "l4",
                                "l40",
                                "l40s",
                                "l20",
                                "h100-sxm5-80",
                                "h100-pcie-80",
                                "h100-nvl-94",
                                "h800-sxm5-80",
                                "h20-96",
                                "h200-sxm-141",
                                "h200-nvl-141",
                                "gh200-96",
                                "gh200-144",
                                "b100-sxm-192",
                                "b200-sxm-180",
                                "gb200-186",
                                "b300-sxm-288",
                                "gb300-288",
                                "rtx-pro-6000-blackwell-ws",
                                "rtx-pro-6000-blackwell-server",
                                "rtx-a4000",
                                "rtx-a5000",
                                "rtx-a6000",
                                "rtx-6000-ada",
                                "rtx-2080-ti",
                                "rtx-3060-12",
                                "rtx-3080-10",
                                "rtx-3090",
                                "rtx-4060-ti-16",
                                "rtx-4070-ti-super",
                                "rtx-4080",
                                "rtx-4090",
                                "rtx-5070-ti",
                                "rtx-5080",
                                "rtx-5090",
                                "jetson-agx-orin-64",
                                "jetson-orin-nano-super-8",
                                "jetson-agx-thor-t5000",
                                "dgx-spark-gb10",
                                "rubin-sxm-288",
                                "mi100",
                                "mi210",
                                "mi250x-card",
                                "mi250x-gcd",
                                "mi250-card",
                                "mi300a",
                                "mi300x",
                                "mi325x",
                                "mi350x",
                                "mi355x",
                                "mi455x",
                                "w7900",
                                "rx-7900-xtx",
                                "rx-9070-xt",
                                "strix-halo-395",
                                "gaudi2",
                                "gaudi3",
                                "max-1550",
                                "arc-a770-16",
                                "arc-b580-12",
                                "arc-pro-b60-24",
                                "tpu-v3",
                                "tpu-v4",
                                "tpu-v5e",
                                "tpu-v5p",
                                "tpu-v6e",
                                "tpu-v7",
                                "trainium1",
                                "inferentia2",
                                "trainium2",
                                "trainium3",
                                "apple-m1",
                                "apple-m1-pro",
                                "apple-m1-max",
                                "apple-m1-ultra",
                                "apple-m2",
                                "apple-m2-pro",
                                "apple-m2-max",
                                "apple-m2-ultra",
                                "apple-m3",
                                "apple-m3-pro",
                                "apple-m3-max-30",
                                "apple-m3-max-40",
                                "apple-m3-ultra",
                                "apple-m4",
                                "apple-m4-pro",
                                "apple-m4-max-32",
                                "apple-m4-max-40",
                                "apple-m5",
                                "apple-m5-pro",
                                "apple-m5-max",
                                "rtx-3070",
                                "rtx-3080-ti",
                                "rtx-3090-ti",
                                "rtx-4060-8",
                                "rtx-4070",
                                "rtx-4070-super",
                                "rtx-4070-ti",
                                "rtx-4080-super",
                                "rtx-5060-ti-16",
                                "rtx-5070",
                                "rx-7900-xt",
                                "rx-9070",
                                "epyc-7763",
                                "epyc-9654",
                                "epyc-9755",
                                "xeon-8380",
                                "xeon-8480-plus",
                                "xeon-8592-plus",
                                "xeon-6980p",
                                "graviton3",
                                "graviton4",
                                "grace",
                                "ryzen-7950x",
                                "groq-lpu-v1",
                                "cerebras-wse3",
                                "sambanova-sn40l",
                                "tt-wormhole-n150",
                                "tt-wormhole-n300",
                                "tt-blackhole-p150",
                                "ascend-910b",
                                "ascend-910c",
                                "ascend-950dt"};

TEST_CASE("profiles: each device is found by its short name") {
  CHECK(std::size(kIds) == 143);
  CHECK(all_profiles().size() >= 143);
  std::set<std::string> names;
  for (const char* id : kIds) {
    INFO(id);
    CHECK_NOTHROW(names.insert(Catalogue().hardware(id).name));
  }
  CHECK(names.size() == 143);
}

TEST_CASE("profiles: every device has a title, a vendor, a year, sources and legible numbers") {
  for (const HardwareProfile& profile : all_profiles()) {
    INFO(profile.name);
    CHECK(profile.title != profile.name);
    CHECK(profile.title.find(profile.vendor) == 0);
    CHECK(profile.released >= 2016);
    CHECK(profile.released <= 2026);
    CHECK_FALSE(profile.sources.empty());
    CHECK_FALSE(profile.memory.type.empty());
    CHECK(source_of(profile, "memory.bandwidth") != nullptr);
  }
}

// The bound divides by both, so neither may be missing without a word in the caveats.
TEST_CASE("profiles: ridge points are positive and finite, or a caveat says why there is none") {
  std::vector<std::string> none;
  for (const HardwareProfile& profile : all_profiles()) {
    INFO(profile.name);
    std::size_t ridges = 0;
    for (const auto& peak : profile.peaks) {
      if (!peak)
        continue;
      const double ridge = *peak / profile.memory.bandwidth / FlopsPerByte::from_value(1.0);
      if (profile.memory.bandwidth.value() > 0.0) {
        CHECK(std::isfinite(ridge));
        CHECK(ridge > 0.0);
        ++ridges;
      }
    }
    if (ridges > 0)
      continue;
    none.push_back(profile.name);
    CHECK(std::any_of(profile.caveats.begin(), profile.caveats.end(), [](const std::string& text) {
      return text.find("so nothing limited by") != std::string::npos ||
             text.find("so none is given") != std::string::npos;
    }));
  }
  CHECK(none == std::vector<std::string>{"apple-m5-32gb", "apple-m5-max-128gb", "apple-m5-pro-64gb",
                                         "cerebras-wse3-44gb", "sambanova-sn40l-64gb",
                                         "tenstorrent-blackhole-p150-32gb"});
}

TEST_CASE("profiles: a device whose bandwidth is not published is not timed at infinity") {
  CHECK_THROWS_AS(make_cost_model("spec", profile_of("sn40l")), ConfigError);
  CHECK_NOTHROW(make_cost_model("spec", profile_of("h100")));
}

// What arithmetic cannot hold is listed, so that no device slips out of the check by a spelling.
TEST_CASE("profiles: the peaks of all others are reproduced by units x clock x operations") {
  const std::set<std::string> unchecked = {"amd-mi455x-432gb",
                                           "aws-inferentia2-32gb",
                                           "aws-trainium1-32gb",
                                           "aws-trainium2-96gb",
                                           "aws-trainium3-144gb",
                                           "google-tpu-v3-32gb",
                                           "google-tpu-v4-32gb",
                                           "google-tpu-v5e-16gb",
                                           "google-tpu-v5p-95gb",
                                           "google-tpu-v6e-32gb",
                                           "google-tpu-v7-192gb",
                                           "groq-lpu-v1-230mb",
                                           "huawei-ascend-910b-64gb",
                                           "huawei-ascend-910c-128gb",
                                           "huawei-ascend-950dt-96gb",
                                           "intel-gaudi2-96gb",
                                           "intel-gaudi3-oam-128gb",
                                           "nvidia-rubin-sxm-288gb",
                                           "sambanova-sn40l-64gb",
                                           "tenstorrent-wormhole-n150-12gb",
                                           "tenstorrent-wormhole-n300-24gb"};
  for (const HardwareProfile& profile : all_profiles()) {
    INFO(profile.name);
    const PeakCheck check = check_peaks(profile);
    CHECK(check.problems.empty());
    CHECK(check.unchecked.empty() == !unchecked.contains(profile.name));
    if (!check.exempted.empty())
      CHECK(profile.exemption.value().why.size() > 10);
  }
}

TEST_CASE("profiles: announced devices say so, and only CPUs leave memory to the host") {
  std::vector<std::string> announced;
  for (const HardwareProfile& profile : all_profiles()) {
    INFO(profile.name);
    if (profile.status == ProfileStatus::announced)
      announced.push_back(profile.name);
    const bool is_cpu =
        profile.architecture.starts_with("zen") || profile.architecture.starts_with("neoverse") ||
        profile.architecture.ends_with("_rapids") || profile.architecture == "ice_lake";
    CHECK(profile.memory.capacity.has_value() == !is_cpu);
  }
  CHECK(announced == std::vector<std::string>{"amd-mi455x-432gb", "huawei-ascend-950dt-96gb",
                                              "nvidia-rubin-sxm-288gb"});
}

// No card is on an architecture that has 8-bit floats in software alone, nor 4-bit integers on
// Hopper.
TEST_CASE("profiles: paths that a device does not have are absent") {
  for (const char* name :
       {"a100", "v100", "t4", "rtx-3090", "mi210", "arc-pro-b60-24", "tpu-v5p"}) {
    INFO(name);
    CHECK_FALSE(profile_of(name).peak(ComputePath::fp8_tensor));
  }
  for (const char* name : {"h100", "h200", "h100-nvl", "b200"}) {
    INFO(name);
    CHECK_FALSE(profile_of(name).peak(ComputePath::int4_tensor));
  }
  CHECK_FALSE(profile_of("v100").peak(ComputePath::bf16_tensor));
  CHECK_FALSE(profile_of("p100").peak(ComputePath::fp16_tensor));
  CHECK_FALSE(profile_of("v100").peak(ComputePath::tf32_tensor));
  CHECK_FALSE(profile_of("mi355x").peak(ComputePath::tf32_tensor));
}

// DGX Spark has Blackwell's tensor units, of which NVIDIA states the FP4 rate alone; Gaudi 2 has
// INT8, of which Intel states nothing.
TEST_CASE("profiles: paths that a device has without a published peak say so") {
  CHECK_FALSE(profile_of("gb10").peak(ComputePath::bf16_tensor));
  CHECK(profile_of("gb10").is_unpublished(ComputePath::bf16_tensor));
  CHECK(profile_of("gb10").is_unpublished(ComputePath::fp8_tensor));
  CHECK(profile_of("gaudi2").is_unpublished(ComputePath::int8_tensor));
  CHECK(profile_of("tpu-v7").is_unpublished(ComputePath::int8_tensor));
  CHECK_FALSE(profile_of("h100").is_unpublished(ComputePath::int4_tensor));  // there is none
}

}  // namespace
}  // namespace roofcast
