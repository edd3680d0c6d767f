#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Phi-1.5 and Phi-2: attention and feed-forward in parallel behind one norm, biases everywhere,
// the head included. Source: Li et al. 2023 (arXiv 2309.05463), microsoft/phi-2.
Model build_phi(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention({.bias = AttentionBias::all});
        layer.feed_forward(true);
      })
      .final_norm(Norm::layer)
      .head(true)
      .model();
}

ROOFCAST_ARCHITECTURE(
    "phi", build_phi,
    "parallel blocks behind one LayerNorm, partial RoPE, plain feed-forward, biases everywhere");

}  // namespace
}  // namespace roofcast
