#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// BLOOM: a norm behind the token table, ALiBi instead of positions. Source: Scao et al. 2022
// (arXiv 2211.05100).
Model build_bloom(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .embedding_norm(Norm::layer)
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer)
            .attention({.bias = AttentionBias::all, .rotary = false});
        layer.norm("ffn_norm", Norm::layer).feed_forward(true);
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "bloom", build_bloom,
    "pre-norm LayerNorm, embedding norm, ALiBi, plain feed-forward, biases, tied head");

}  // namespace
}  // namespace roofcast
