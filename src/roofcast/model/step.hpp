#pragma once

#include <cstdint>

namespace roofcast {

enum class Phase { prefill, decode };

/// One forward pass of `sequences` equal sequences.
struct Step {
  Phase phase = Phase::decode;
  std::int64_t sequences = 1;
  std::int64_t query_tokens = 1;    ///< new tokens per sequence: the prompt, or 1
  std::int64_t context_tokens = 1;  ///< tokens attended to by the last new token, itself included
};

constexpr Step prefill_step(std::int64_t batch, std::int64_t prompt) {
  return {Phase::prefill, batch, prompt, prompt};
}
constexpr Step decode_step(std::int64_t batch, std::int64_t context) {
  return {Phase::decode, batch, 1, context};
}

}  // namespace roofcast
