#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/runtime.hpp"

#include <cstdint>
#include <optional>

namespace roofcast {

struct MemoryRequest {
  std::int64_t batch = 1;
  std::int64_t context = 2304;   ///< tokens per sequence at the end
  std::int64_t prompt = 2048;    ///< tokens of one prefill, for engines whose activations follow it
  std::int64_t kv_block = 16;    ///< tokens per KV block
  double memory_fraction = 0.9;  ///< of the device's memory that the engine may take, in (0, 1]
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
  BytesPerToken kv_per_token{};   ///< growth at the asked context
  std::optional<Bytes> capacity;  ///< of the device; absent without a device or when it states none
  std::optional<Bytes> usable;    ///< capacity x memory_fraction, whole bytes
  std::optional<bool> fits;       ///< total <= usable
  /// At the asked context; one more does not fit. 0 when not even one fits; empty, although usable
  /// is not, where memory limits no batch up to kMaxSequences.
  std::optional<std::int64_t> max_batch;
  /// At the asked batch; one more does not fit. 0 when not even one token fits; at most the
  /// positions there are, where positions are learned. Empty, although usable is not, where memory
  /// limits no context up to kMaxTokens, as when every layer has a window.
  std::optional<std::int64_t> max_context;
  /// Tokens that the budget holds beside weights, `activations` and `runtime`, in whole blocks of
  /// every layer: the "GPU KV cache size" of an engine's log.
  std::optional<std::int64_t> kv_capacity_tokens;
};

/// docs/model.md section 4. `profile` may be null: then what depends on a device stays empty.
/// @throws ConfigError  counts outside their limits, a context beyond learned positions, sizes that
///                      pass 2^53 bytes
MemoryForecast forecast_memory(const Model& model, const PrecisionPlan& plan,
                               const Runtime& runtime, const MemoryRequest& request,
                               const HardwareProfile* profile);

}  // namespace roofcast
