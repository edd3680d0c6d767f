#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// OLMo 2: norms behind the blocks instead of before them, and over the full width of Q and K.
// Source: OLMo Team 2024 (arXiv 2501.00656).
Model build_olmo2(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.attention({.qk_norm = QkNorm::full_width}).norm("attn_post_norm", Norm::rms);
        layer.feed_forward().norm("ffn_post_norm", Norm::rms);
      })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("olmo2", build_olmo2,
                      "post-norm RMSNorm, full-width norm of Q and K, RoPE, gated feed-forward");

}  // namespace
}  // namespace roofcast
