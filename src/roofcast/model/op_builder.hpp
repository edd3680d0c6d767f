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

/// The operators of one step, one entry per kernel and layer group. Replaces the contents of `out`,
/// whose storage is reused: after the first call nothing is allocated.
///
/// What is counted (docs/model.md section 3); T = sequences x query_tokens, s = query_tokens, c =
/// context_tokens, W = window or infinity:
/// * work: 2 FLOP per multiply-add of linear layers (2 T rows columns), of the head over the last
/// token of
///   each sequence (2 sequences rows columns), and of attention, 2 heads (key_dim + value_dim) for
///   each pair of a query and a token it sees. A query at position i sees min(i, W) tokens, so a
///   sequence has the sum of min(i, W) over i = c - s + 1 ... c pairs: s (s + 1) / 2 in a prefill,
///   min(c, W) in a decode step. Norms, rotation, activation functions and softmax are 0 FLOP: they
///   are costed by their traffic.
/// * weights, scales: each matrix and bias once, whatever T is; norms with the norm. Of the token
/// table and
///   the learned positions only the gathered rows are read, as activations; a tied head reads the
///   table.
/// * kv: what attention must read of earlier steps, min(c - s, W - 1) tokens, and must write,
/// min(s, W)
///   tokens: the prompt once in a prefill, min(c, W) tokens in a decode step. What a step writes it
///   reads back on the chip.
/// * activations: inputs and outputs at the working format's width; the inputs of products at the
/// width of
///   plan.activations. A norm reads x and the residual and writes both, or without a residual add
///   (per head) reads and writes x. rope_kv reads and writes Q, K and V. An activation function
///   reads one column (gated: two) and writes one. A `quantise` operator reads the working format
///   and writes the narrow one, once for products in a row that share their input.
/// Narrow formats count with their scales (effective_bits).
void build_operators(const Model& model, const PrecisionPlan& plan, const PathChoice& paths,
                     const Step& step, OperatorList& out);

}  // namespace roofcast
