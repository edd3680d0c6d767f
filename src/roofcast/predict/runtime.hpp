#pragma once

#include <span>
#include <string_view>

#include "roofcast/units/quantity.hpp"

namespace roofcast {

/// What an inference engine adds to weights and KV cache, each figure with its source.
struct Runtime {
  std::string_view name;    ///< "vllm"
  std::string_view title;   ///< "vLLM, V1 engine"
  std::int64_t step_tokens;       ///< tokens of the largest step it profiles; 0: the workload's own
  std::int64_t logit_sequences;   ///< sequences whose logits live at once
  double activation_factor;       ///< live copies beyond the widest operator, 0 for `none`
  Bytes device_context;           ///< driver context and libraries
  Bytes graphs;                   ///< captured graphs
  Seconds step_overhead;          ///< host time per step that no kernel hides
  std::string_view source;
};

std::span<const Runtime> runtimes();
/// @throws UsageError  unknown name, with the known ones
const Runtime& find_runtime(std::string_view name);

}  // namespace roofcast
