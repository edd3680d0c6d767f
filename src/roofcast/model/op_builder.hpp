#pragma once

#include "roofcast/model/model.hpp"
#include "roofcast/model/operator.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/model/step.hpp"

namespace roofcast {

/// Which path each kind of product takes under a plan on one device; found once, used per
/// evaluation.
struct PathChoice {
  ComputePath gemm = ComputePath::fp16_tensor;  ///< products inside the blocks
  ComputePath head = ComputePath::fp16_tensor;
  ComputePath attention = ComputePath::fp16_tensor;
  bool gemm_weight_only =
      false;  ///< weights are expanded on the fly: bytes shrink, the roof does not rise
  bool head_weight_only = false;
  bool quantise_activations = false;  ///< a kernel of its own before each group of products
};

/// The operators of one step, one entry per kernel and layer group; docs/model.md section 3.
/// Replaces the contents of `out`, whose storage is reused: after the first call nothing is
/// allocated.
///
/// With T = sequences x query_tokens, s = query_tokens, c = context_tokens, W = window or infinity,
/// it counts:
///
/// Work, 2 FLOP per multiply-add: linear layers 2 T rows columns; the head over the last token of
/// each sequence, 2 sequences rows columns; attention 2 heads (key_dim + value_dim) for each pair
/// of a query and a token it sees. A query at position i sees min(i, W) tokens, so a sequence has
/// the sum of min(i, W) over i = c - s + 1 ... c pairs: s (s + 1) / 2 in a prefill, min(c, W) in a
/// decode step. Norms, rotation, activation functions and softmax are 0 FLOP: their traffic is
/// their cost.
///
/// Weights and scales: each matrix and bias once, whatever T is; norms with the norm. Of the token
/// table and the learned positions only the gathered rows are read, as activations; a tied head
/// reads the table.
///
/// KV cache: attention must read min(c - s, W - 1) tokens of earlier steps and write min(s, W): the
/// prompt once in a prefill, min(c, W) tokens in a decode step. What a step writes it reads back on
/// the chip.
///
/// Activations: inputs and outputs in the working format, the inputs of products in
/// plan.activations; narrow formats with their scales (effective_bits). A norm reads x and the
/// residual and writes both; one of Q or K reads and writes it. rope_kv reads and writes Q, K and
/// V. An activation function reads one row (gated: two) and writes one. A `quantise` operator reads
/// the working format and writes the narrow one, once for consecutive products of one input.
/// @throws InternalError  a step beyond the limits of model.hpp, which callers check
void build_operators(const Model& model, const PrecisionPlan& plan, const PathChoice& paths,
                     const Step& step, OperatorList& out);

}  // namespace roofcast
