#pragma once

#include <cstdint>
#include <optional>

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/runtime.hpp"

namespace roofcast {

struct MemoryRequest {
  std::int64_t batch = 1;
  std::int64_t context = 2304;       ///< tokens per sequence at the end
  std::int64_t prompt = 2048;        ///< tokens of the largest prefill, which set the activations
  std::int64_t kv_block = 16;        ///< tokens per KV block
  double memory_fraction = 0.9;      ///< of the usable memory that the engine may take
};

/// The ledger of one device: total = weights + KV cache + state + activations + runtime.
struct MemoryForecast {
  Bytes weights{};        ///< payload and scales
  Bytes weight_scales{};  ///< the scales and zero points among them
  Bytes kv_cache{};       ///< allocated, in whole blocks
  Bytes state{};          ///< recurrent state; 0 for attention models
  Bytes activations{};
  Bytes runtime{};
  Bytes total{};
  BytesPerToken kv_per_token{};      ///< growth at the asked context
  std::optional<Bytes> capacity;     ///< of the device; absent without a device or when it states none
  std::optional<Bytes> usable;       ///< capacity x memory_fraction
  std::optional<bool> fits;          ///< total <= usable
  std::optional<std::int64_t> max_batch;           ///< at the asked context; one more does not fit
  std::optional<std::int64_t> max_context;         ///< at the asked batch; one more does not fit
  std::optional<std::int64_t> kv_capacity_tokens;  ///< tokens of one long sequence's KV that the rest holds
};

/// docs/model.md section 4. `profile` may be null: then what depends on a device stays empty.
/// @throws ConfigError  sizes that pass 2^53 bytes
MemoryForecast forecast_memory(const Model& model, const PrecisionPlan& plan, const Runtime& runtime,
                               const MemoryRequest& request, const HardwareProfile* profile);

}  // namespace roofcast
