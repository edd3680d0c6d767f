#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Qwen 1.5, 2 and 2.5 without experts: Llama with biases on Q, K and V. The sliding window that
// its config.json names is switched off in every published checkpoint. Source: Yang et al. 2024
// (arXiv 2407.10671).
Model build_qwen2(const ModelCard& card) {
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

ROOFCAST_ARCHITECTURE("qwen2", build_qwen2,
                      "pre-norm RMSNorm, RoPE, Q, K, V biases, gated feed-forward");

}  // namespace
}  // namespace roofcast
