#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// ChatGLM2, ChatGLM3 and GLM-4-9B: two heads of K and V, biases on Q, K and V. Source: GLM Team
// 2024 (arXiv 2406.12793).
Model build_chatglm(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::rms).attention({.bias = AttentionBias::qkv});
        layer.norm("ffn_norm", Norm::rms).feed_forward();
      })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("chatglm", build_chatglm,
                      "pre-norm RMSNorm, RoPE on half a head, multi-query groups, Q, K, V biases, "
                      "gated feed-forward");

}  // namespace
}  // namespace roofcast
