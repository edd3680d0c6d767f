#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Qwen 3 without experts: no biases, a norm over each head of Q and K, head width apart from
// hidden. Source: Yang et al. 2025 (arXiv 2505.09388).
Model build_qwen3(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::rms).attention({.qk_norm = QkNorm::per_head});
        layer.norm("ffn_norm", Norm::rms).feed_forward();
      })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("qwen3", build_qwen3,
                      "pre-norm RMSNorm, RoPE, norm per head of Q and K, gated feed-forward");

}  // namespace
}  // namespace roofcast
