#pragma once

#include "roofcast/cost/cost_model.hpp"
#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/units/quantity.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace roofcast {

/// How an engine finds the largest step that its activations must hold.
enum class StepSizing {
  none,      ///< counts no activations
  reserved,  ///< profiles its own limit at start, whatever is asked later; never less than the
             ///< batch
  split,     ///< cuts every step into pieces of at most the limit
  as_run,    ///< allocates what the workload needs, up to the limit
};

/// Limits that an engine starts with when nobody says otherwise.
struct EngineLimits {
  std::int64_t step_tokens = 0;  ///< tokens of the largest step
  std::int64_t sequences = 0;    ///< sequences whose logits live at once
  Bytes graphs{};                ///< captured graphs that count against the memory fraction
};

/// The band of an engine whose own kernels were measured, as factors on the predicted time of a
/// phase.
struct EngineBand {
  Band band;
  int measurements;  ///< behind the factors; nothing was fitted on them
  std::string_view source;
};

/// What an engine does to the time of a step beside the kernels' constants. docs/model.md Eq. 12
/// and 13.
struct EngineTime {
  Seconds step_overhead{};       ///< host time per step that no kernel hides
  Seconds step_overhead_low{};   ///< in 80 of 100 cases between this
  Seconds step_overhead_high{};  ///< and this
  std::optional<EngineBand> prefill = {};
  std::optional<EngineBand> decode = {};
};

/// What an inference engine adds to weights and KV cache, each figure with its source. Lengths
/// below are in elements per token: `gated_copies` x intermediate for a gated feed-forward, and so
/// on.
struct Runtime {
  std::string_view name;   ///< "vllm"
  std::string_view title;  ///< "vLLM, V1 engine"
  StepSizing sizing;
  EngineLimits limits;            ///< devices of less than `large_from`
  EngineLimits large_limits;      ///< devices of `large_from` and more
  Bytes large_from;               ///< capacity as the driver reports it; 0: never
  std::string_view always_small;  ///< devices with this in their name keep `limits`
  double gated_copies;            ///< live copies of the intermediate width, gated feed-forward
  double plain_copies;            ///< the same without a gate
  double hidden_copies;           ///< live copies of the hidden width beside them
  double element_bytes;           ///< narrowest element that activations are kept in [B]
  double logit_bytes;             ///< all copies of one logit that sampling holds [B]
  bool logits_stay;         ///< logits are buffers of their own beside the layers, not after them
  Bytes fixed_activations;  ///< what does not scale
  Bytes device_context;     ///< driver, context and libraries
  EngineTime time;
  std::string_view source;
};

/// In the order in which they are listed: none, vllm, trtllm, sglang, llamacpp.
std::span<const Runtime> runtimes();
/// @throws UsageError  unknown name, with the known ones
const Runtime& find_runtime(std::string_view name);

/// The limits that apply on a device; those of a small one when `profile` is null or states no
/// capacity.
const EngineLimits& engine_limits(const Runtime& runtime, const HardwareProfile* profile);

/// The largest step that the activations of an engine must hold.
struct ActivationStep {
  std::int64_t tokens = 0;      ///< rows that pass through a layer at once
  std::int64_t logit_rows = 0;  ///< rows whose logits live at once
};

ActivationStep activation_step(const Runtime& runtime, const EngineLimits& limits,
                               std::int64_t batch, std::int64_t prompt);

/// Peak of what lives between kernels [B]: the widest moment of a layer, or the logits with their
/// sampler, whichever is larger (the sum where an engine keeps both). docs/model.md Eq. 6.
Bytes activation_bytes(const Model& model, const PrecisionPlan& plan, const Runtime& runtime,
                       const ActivationStep& step);

/// Widest set of feed-forward or projection outputs that live at once in a layer [elements per
/// token].
double widest_live_elements(const Model& model, const Runtime& runtime);

/// Memory of the engine itself: device context and graphs [B]. docs/model.md Eq. 7.
Bytes runtime_bytes(const Runtime& runtime, const EngineLimits& limits);

}  // namespace roofcast
