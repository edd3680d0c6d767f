#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Orion-14B: Llama with LayerNorms. Source: Chen et al. 2024 (arXiv 2401.12246).
Model build_orion(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention();
        layer.norm("ffn_norm", Norm::layer).feed_forward();
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("orion", build_orion,
                      "pre-norm LayerNorm, RoPE, gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
