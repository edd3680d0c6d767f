#include "roofcast/hw/hardware_profile.hpp"

#include <string>
#include <utility>

#include "support/bad_files.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

using test::near;

HardwareProfile read(std::string text) {
  return read_hardware_profile(parse_document("my.yaml", std::move(text)));
}

/// Everything that a profile can say.
constexpr const char* kComplete = R"(schema: roofcast/hardware/1
name: acme-h100
title: ACME H100
aliases: [h, "ACME H100 80GB"]
vendor: ACME
architecture: hopper
compute_capability: "9.0"
released: 2022
status: recalled
memory: {capacity: 81559 MiB, marketed: 80 GB, type: HBM3, bandwidth: 3350 GB/s, l2: 50 MiB}
processors: {count: 132, clock: 1830 MHz}
compute:
  fp16_tensor: 989.4 TFLOP/s
  int8_tensor: 1.9789 POP/s
peaks_not_reproduced: {paths: [fp64_vector], why: cut for export}
links:
  nvlink: {name: NVLink4, generation: 4, per_direction: 450 GB/s, caveat: 18 links}
  pcie: {generation: 5, lanes: 16}
power: 700 W
caveats: [dense, 8 of them in a box]
sources:
  ds: {title: H100 datasheet, publisher: NVIDIA, where: SXM column}
  smi: {title: nvidia-smi}
  tdp: {title: a listing}
provenance: {"*": ds, memory: smi, memory.bandwidth: ds, power: tdp}
)";

TEST_CASE("hardware profile: each field arrives in SI units") {
  const HardwareProfile profile = read(kComplete);
  CHECK(profile.name == "acme-h100");
  CHECK(profile.title == "ACME H100");
  CHECK(profile.aliases == std::vector<std::string>{"h", "ACME H100 80GB"});
  CHECK(profile.vendor == "ACME");
  CHECK(profile.architecture == "hopper");
  CHECK(profile.compute_capability == "9.0");
  CHECK(profile.released == 2022);
  CHECK(profile.status == ProfileStatus::recalled);
  // 81559 x 2^20, exactly; GB are 10^9, MiB 2^20.
  CHECK(profile.memory.capacity.value().value() == 81559.0 * 1048576.0);
  CHECK(profile.memory.marketed.value().value() == 80e9);
  CHECK(profile.memory.bandwidth.value() == 3350e9);
  CHECK(profile.memory.l2.value().value() == 50.0 * 1048576.0);
  CHECK(profile.memory.type == "HBM3");
  CHECK(profile.processors.count == 132);
  CHECK(profile.processors.clock.value().value() == 1830e6);
  CHECK_FALSE(profile.processors.half_accumulate);
  CHECK(profile.peak(ComputePath::fp16_tensor).value().value() == 989.4e12);
  CHECK(profile.peak(ComputePath::int8_tensor).value().value() == 1978.9e12);
  CHECK_FALSE(profile.peak(ComputePath::fp8_tensor));
  CHECK(profile.exemption.value().why == "cut for export");
  CHECK(profile.power.value().value() == 700.0);
  CHECK(profile.caveats.size() == 2);
}

TEST_CASE("hardware profile: links keep what the sheet says of one direction") {
  const HardwareProfile profile = read(kComplete);
  REQUIRE(profile.links.size() == 2);
  CHECK(profile.links[0].kind == "nvlink");
  CHECK(profile.links[0].name == "NVLink4");
  CHECK(profile.links[0].generation == 4);
  CHECK(profile.links[0].per_direction.value().value() == 450e9);
  CHECK(profile.links[0].caveat == "18 links");
  CHECK(profile.links[1].kind == "pcie");
  CHECK(profile.links[1].lanes == 16);
  CHECK_FALSE(profile.links[1].per_direction);
}

TEST_CASE("hardware profile: the nearest provenance entry names the source") {
  const HardwareProfile profile = read(kComplete);
  REQUIRE(profile.sources.size() == 3);
  CHECK(source_of(profile, "compute.fp16_tensor")->title == "H100 datasheet");
  CHECK(source_of(profile, "memory.capacity")->title == "nvidia-smi");
  CHECK(source_of(profile, "memory.bandwidth")->where == "SXM column");
  CHECK(source_of(profile, "power")->id == "tdp");
}

TEST_CASE("hardware profile: one source serves for all") {
  const HardwareProfile profile = read(R"(schema: roofcast/hardware/1
name: mine
vendor: ACME
architecture: my_own
memory: {bandwidth: 100 GB/s}
compute: {}
source: measured by hand
)");
  CHECK(source_of(profile, "memory.bandwidth")->title == "measured by hand");
  CHECK(profile.status == ProfileStatus::published);
  CHECK(profile.title == "mine");
  CHECK_FALSE(profile.memory.capacity);
}

TEST_CASE("hardware profile: a bandwidth can be said to be unpublished, not left out") {
  const HardwareProfile profile = read(R"(schema: roofcast/hardware/1
name: mine
vendor: ACME
architecture: my_own
memory: {capacity: 64 GiB, bandwidth: unpublished}
compute: {bf16_tensor: 638 TFLOP/s}
source: a paper
)");
  CHECK(profile.memory.bandwidth.value() == 0.0);
}

TEST_CASE("hardware profile: a peak that exists and that nobody states is kept as such") {
  const HardwareProfile profile = read(R"(schema: roofcast/hardware/1
name: mine
vendor: ACME
architecture: my_own
memory: {capacity: 64 GiB, bandwidth: 273 GB/s}
compute: {fp4_tensor: 500 TFLOP/s, bf16_tensor: unpublished}
source: a sheet
)");
  CHECK_FALSE(profile.peak(ComputePath::bf16_tensor));
  CHECK(profile.is_unpublished(ComputePath::bf16_tensor));
  CHECK_FALSE(profile.is_unpublished(ComputePath::fp4_tensor));
  CHECK_FALSE(profile.is_unpublished(ComputePath::fp16_tensor));
}

TEST_CASE("hardware profile: a wafer of SRAM may have the bandwidth that no DRAM has") {
  const HardwareProfile profile = read(R"(schema: roofcast/hardware/1
name: mine
vendor: ACME
architecture: my_own
memory: {capacity: 44 GB, type: SRAM, bandwidth: 21 PB/s}
compute: {}
source: a page
)");
  CHECK(profile.memory.bandwidth.value() == 21e15);
}

// An exemption waives the arithmetic for its paths alone: FP8 is exempt here, FP16 is not.
TEST_CASE("hardware profile: an exemption covers the paths that it names") {
  const std::string head = R"(schema: roofcast/hardware/1
name: mine
vendor: ACME
architecture: hopper
memory: {bandwidth: 3350 GB/s}
processors: {count: 132, clock: 1830 MHz}
peaks_not_reproduced: {paths: [fp8_tensor], why: a test}
source: a test
)";
  CHECK_NOTHROW(read(head + "compute: {fp16_tensor: 989.4 TFLOP/s, fp8_tensor: 3957.8 TFLOP/s}\n"));
  CHECK_THROWS_AS(read(head + "compute: {fp16_tensor: 1978.9 TFLOP/s}\n"), InputError);
}

TEST_CASE("hardware profile: every problem of every bad file is named where it stands") {
  test::check_bad_files("bad_profiles", 29, [](std::string name, std::string text) {
    read_hardware_profile(parse_document(std::move(name), std::move(text)));
  });
}

}  // namespace
}  // namespace roofcast
