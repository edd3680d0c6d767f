#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/parameter_count.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/runtime.hpp"

#include <cstdint>
#include <optional>

namespace roofcast {

/// The memory of one model under one plan as a function of batch, prompt and context; never falls
/// when one of them grows. What depends on none of them is found once; the functions allocate
/// nothing. forecast_memory() answers from it, and a sweep asks it directly.
class MemoryLedger {
 public:
  /// Keeps references to `model` and `runtime`, which must outlive it. `profile` may be null.
  /// @throws ConfigError  a KV block or a memory fraction outside its limits
  MemoryLedger(const Model& model, const PrecisionPlan& plan, const Runtime& runtime,
               const HardwareProfile* profile, std::int64_t kv_block, double memory_fraction);

  [[nodiscard]] const StorageBytes& weights() const { return weights_; }
  [[nodiscard]] Bytes engine() const { return engine_; }
  /// Capacity x memory fraction, rounded down to whole bytes; absent where the device states no
  /// capacity.
  [[nodiscard]] const std::optional<Bytes>& usable() const { return usable_; }

  /// Allocated, in whole blocks [B].
  [[nodiscard]] Bytes kv_cache(std::int64_t batch, std::int64_t context) const;
  /// Of the largest step that the engine must hold [B].
  [[nodiscard]] Bytes activations(std::int64_t batch, std::int64_t prompt) const;
  [[nodiscard]] Bytes total(std::int64_t batch, std::int64_t prompt, std::int64_t context) const;

  /// Largest batch that fits, 0 when not even one does; absent without usable() and where memory
  /// limits no batch up to kMaxSequences.
  [[nodiscard]] std::optional<std::int64_t> max_batch(std::int64_t prompt,
                                                      std::int64_t context) const;
  /// Longest context that fits, 0 when not even one token does; absent without usable() and where
  /// memory limits no context up to kMaxTokens.
  [[nodiscard]] std::optional<std::int64_t> max_context(std::int64_t batch,
                                                        std::int64_t prompt) const;

  /// @throws ConfigError  counts outside their limits, a context beyond learned positions
  void check(std::int64_t batch, std::int64_t prompt, std::int64_t context) const;
  /// @throws ConfigError  a total beyond 2^53 bytes
  static void check_total(Bytes total, std::int64_t batch, std::int64_t context);

  /// Tokens that a sequence can have at all: a learned table of positions ends somewhere.
  [[nodiscard]] std::int64_t context_limit() const;

 private:
  const Model& model_;
  PrecisionPlan plan_;
  const Runtime& runtime_;
  const EngineLimits& limits_;
  std::int64_t kv_block_;
  StorageBytes weights_;
  Bytes engine_;
  std::optional<Bytes> usable_;
};

}  // namespace roofcast
