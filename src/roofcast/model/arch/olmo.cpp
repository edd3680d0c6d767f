#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// OLMo 1: LayerNorms without parameters, no biases. Source: Groeneveld et al. 2024 (arXiv
// 2402.00838).
Model build_olmo(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::no_weights).attention();
        layer.norm("ffn_norm", Norm::no_weights).feed_forward();
      })
      .final_norm(Norm::no_weights)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("olmo", build_olmo,
                      "pre-norm LayerNorm without parameters, RoPE, gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
