#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Qwen 1: bias on the fused Q, K, V product alone. Its config.json gives twice the width of the
// feed-forward; a card gives the real one. Source: Bai et al. 2023 (arXiv 2309.16609).
Model build_qwen(const ModelCard& card) {
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

ROOFCAST_ARCHITECTURE("qwen", build_qwen,
                      "pre-norm RMSNorm, RoPE, Q, K, V biases, gated feed-forward");

}  // namespace
}  // namespace roofcast
