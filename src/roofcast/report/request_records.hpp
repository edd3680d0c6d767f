#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/forecast.hpp"
#include "roofcast/report/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofcast {

/// What was asked, as the records that every answer about one configuration begins with: model,
/// hardware, scheme, workload, layout. For machines; people read it in the heading.
struct RequestShown {
  const Model* model = nullptr;
  const HardwareProfile* profile = nullptr;  ///< may be null
  const Runtime* runtime = nullptr;
  PrecisionPlan plan;
  Workload workload;
  std::int64_t context = 0;
  std::int64_t kv_block = 16;
  double memory_fraction = 0.9;
};
std::vector<Block> request_records(const RequestShown& request);

/// "llama-2-7b, fp16, on nvidia-a100-sxm4-80gb"
std::string request_heading(const RequestShown& request);
/// "batch 1 · prompt 2,048 · output 256 · vLLM, V1 engine"
std::string workload_line(const RequestShown& request);

/// Tokens that the layers of a group keep; absent where they keep all.
std::optional<std::int64_t> window_of(const LayerGroup& group);

/// Whether some layer keeps no more than a window of tokens.
bool has_window(const Model& model);

/// What the answers about room are answers to.
struct RoomAsked {
  std::int64_t batch = 1;
  std::int64_t context = 0;
  std::int64_t kv_block = 16;
  std::int64_t made_for = 0;                ///< context of the model itself
  std::optional<std::int64_t> window = {};  ///< where the cache stops growing
  std::int64_t prompt = 0;
  const Model* model = nullptr;
  const Runtime* runtime = nullptr;
  const HardwareProfile* profile = nullptr;  ///< may be null
};

/// The ledger of a device's memory, and what else would fit, as two records under "memory".
std::vector<Block> memory_records(const MemoryForecast& memory, const RoomAsked& asked);

/// "DOES NOT FIT: 130.22 GiB of 72.00 GiB usable"; empty where it fits or nobody can tell.
std::string fit_alert(const MemoryForecast& memory);

/// "Fits, with 55.52 GiB to spare."; empty without a device.
std::string fit_sentence(const MemoryForecast& memory);

void add_warnings(Report& report, const std::vector<Warning>& warnings);

}  // namespace roofcast
