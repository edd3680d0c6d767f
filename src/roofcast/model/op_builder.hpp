#pragma once

#include "roofcast/model/model.hpp"
#include "roofcast/model/operator.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/model/step.hpp"

namespace roofcast {

/// Which path each kind of product takes under a plan on one device; found once, used per evaluation.
struct PathChoice {
  ComputePath gemm = ComputePath::fp16_tensor;       ///< products inside the blocks
  ComputePath head = ComputePath::fp16_tensor;
  ComputePath attention = ComputePath::fp16_tensor;
  bool gemm_weight_only = false;   ///< weights are expanded on the fly: bytes shrink, the roof does not rise
  bool head_weight_only = false;
  bool quantise_activations = false;  ///< a kernel of its own before each group of products
};

/// The operators of one step, one entry per kernel and layer group; docs/model.md section 3. Replaces the
/// contents of `out`, whose storage is reused: after the first call nothing is allocated.
void build_operators(const Model& model, const PrecisionPlan& plan, const PathChoice& paths,
                     const Step& step, OperatorList& out);

}  // namespace roofcast
