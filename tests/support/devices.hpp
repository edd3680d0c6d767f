#pragma once

#include "roofcast/hw/hardware_profile.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

/// Published devices as values, so that tests of the layers below the reader need no file. Dense
/// peaks of the vendors' datasheets.
namespace roofcast::test {

inline FlopsPerSecond tflops(double value) {
  return FlopsPerSecond::from_value(value * 1e12);
}
inline BytesPerSecond gigabytes_per_second(double value) {
  return BytesPerSecond::from_value(value * 1e9);
}

using Peak = std::pair<ComputePath, double>;  ///< [TFLOP/s]

inline HardwareProfile make_device(std::string name, std::string architecture, double gb_per_second,
                                   std::initializer_list<Peak> peaks) {
  HardwareProfile profile;
  profile.name = std::move(name);
  profile.vendor = "NVIDIA";
  profile.architecture = std::move(architecture);
  profile.memory.bandwidth = gigabytes_per_second(gb_per_second);
  for (const auto& [path, peak] : peaks) {
    profile.peaks[static_cast<std::size_t>(path)] = tflops(peak);
  }
  return profile;
}

/// A100 SXM4 80 GB: 312 TFLOP/s, 2,039 GB/s
inline HardwareProfile a100() {
  return make_device("a100", "ampere", 2039,
                     {{ComputePath::fp32_vector, 19.5},
                      {ComputePath::fp16_tensor, 312},
                      {ComputePath::bf16_tensor, 312},
                      {ComputePath::int8_tensor, 624}});
}

/// H100 SXM5 80 GB: 989.4 TFLOP/s, 3,350 GB/s
inline HardwareProfile h100() {
  return make_device("h100", "hopper", 3350,
                     {{ComputePath::fp32_vector, 67},
                      {ComputePath::fp16_tensor, 989.4},
                      {ComputePath::bf16_tensor, 989.4},
                      {ComputePath::fp8_tensor, 1978.9},
                      {ComputePath::int8_tensor, 1978.9}});
}

/// H200 SXM: H100's peaks, 4,800 GB/s
inline HardwareProfile h200() {
  HardwareProfile profile = h100();
  profile.name = "h200";
  profile.memory.bandwidth = gigabytes_per_second(4800);
  return profile;
}

/// GeForce RTX 4090: FP16 with FP32 accumulation runs at half the rate of FP16 accumulation
inline HardwareProfile rtx_4090() {
  return make_device("rtx-4090", "ada", 1008,
                     {{ComputePath::fp32_vector, 82.6},
                      {ComputePath::fp16_tensor, 165.2},
                      {ComputePath::bf16_tensor, 165.2},
                      {ComputePath::fp16_acc16, 330.3},
                      {ComputePath::fp8_tensor, 330.3}});
}

/// A CPU that publishes one vector peak and a bandwidth, and nothing else
inline HardwareProfile plain_cpu() {
  HardwareProfile profile =
      make_device("plain-cpu", "zen4", 460.8, {{ComputePath::fp32_vector, 7.4}});
  profile.vendor = "AMD";
  return profile;
}

}  // namespace roofcast::test
