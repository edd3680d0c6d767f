#pragma once

#include "roofcast/base/compute_path.hpp"
#include "roofcast/units/quantity.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace roofcast {

enum class OperatorKind { gemm, attention_prefill, attention_decode, stream, quantise };

/// One kernel as a cost model sees it. `bytes()` are compulsory: weights and KV cache, which no
/// fusion avoids; the bound counts these alone. Activations pass between kernels and may stay on
/// the chip in a perfect fusion; the prediction counts them too.
struct Operator {
  std::string_view name;
  OperatorKind kind = OperatorKind::stream;
  std::int64_t repeat = 1;  ///< times it runs in the step
  ComputePath path = ComputePath::fp32_vector;
  bool weight_only = false;  ///< weights are expanded to the path's format on the fly
  Flops work{};         ///< multiply-adds of products and attention, 2 FLOP each; 0 for streams
  Bytes weights{};      ///< weight payload read
  Bytes scales{};       ///< scales and zero points read with it
  Bytes kv{};           ///< KV cache read and written
  Bytes activations{};  ///< inputs and outputs
  double element_bits = 16;  ///< width of the narrower operand, which selects the cost constants

  [[nodiscard]] Bytes bytes() const { return weights + scales + kv; }
  [[nodiscard]] Bytes traffic() const { return bytes() + activations; }
};

using OperatorList = std::vector<Operator>;

}  // namespace roofcast
