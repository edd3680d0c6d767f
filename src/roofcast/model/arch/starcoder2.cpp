#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// StarCoder2: biases everywhere, RoPE, a sliding window in every layer. Source: Lozhkov et al.
// 2024 (arXiv 2402.19173).
Model build_starcoder2(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention({.bias = AttentionBias::all});
        layer.norm("ffn_norm", Norm::layer).feed_forward(true);
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("starcoder2", build_starcoder2,
                      "pre-norm LayerNorm, RoPE, sliding window, plain feed-forward, biases");

}  // namespace
}  // namespace roofcast
