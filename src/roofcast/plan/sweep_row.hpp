#pragma once

#include "roofcast/predict/forecast.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace roofcast {

/// One configuration of a sweep and what it comes to. A plain value without storage of its own: the
/// names live in the SweepSpace and in the table of number formats, which outlive every row.
struct SweepRow {
  std::int64_t index = 0;  ///< place in the whole product, the same in every shard
  std::string_view model;
  std::string_view gpu;
  std::string_view weights;
  std::string_view activations;
  std::string_view kv;
  std::string_view runtime;
  std::string_view profile_status;  ///< "published", ..., "announced"
  bool native = true;  ///< the device multiplies the scheme as it is, without going to a wider path
  Workload workload;

  Bytes weights_bytes{};
  Bytes kv_cache{};
  Bytes total{};
  std::optional<bool> fits;
  std::optional<std::int64_t> max_batch;

  PhaseForecast prefill;
  PhaseForecast decode;  ///< the mean step; only where `tpot` has a value
  Seconds ttft{};
  std::optional<Seconds> tpot;  ///< absent when output is 1
  Seconds e2e{};
};

/// "published", "recalled", "derived" or "announced".
std::string_view name_of_status(const HardwareProfile& profile);

/// The row of one forecast, equal to what a sweep over that configuration alone gives. Refers to
/// the objects of its request.
SweepRow row_of(const Forecast& forecast);

}  // namespace roofcast
