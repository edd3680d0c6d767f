#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// StarCoder and SantaCoder: GPT-2 with one head of K and V. Source: Li et al. 2023 (arXiv
// 2305.06161).
Model build_gpt_bigcode(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .positions()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer)
            .attention({.bias = AttentionBias::all, .rotary = false});
        layer.norm("ffn_norm", Norm::layer).feed_forward(true);
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("gpt_bigcode", build_gpt_bigcode,
                      "pre-norm LayerNorm, multi-query attention, learned positions, plain "
                      "feed-forward, biases, tied head");

}  // namespace
}  // namespace roofcast
