#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// StableLM 3B and StableLM 2: LayerNorms with bias; Q, K and V have one where the card says so.
// Source: Bellagente et al. 2024 (arXiv 2402.17834).
Model build_stablelm(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention({.bias_when_asked = AttentionBias::qkv});
        layer.norm("ffn_norm", Norm::layer).feed_forward();
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "stablelm", build_stablelm,
    "pre-norm LayerNorm, partial RoPE, optional Q, K, V biases, gated feed-forward");

}  // namespace
}  // namespace roofcast
