#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// EXAONE 4: norms behind the blocks, a norm over each head of Q and K, three windowed layers to
// one full in the 32B. Source: LG AI Research 2025 (arXiv 2507.11407).
Model build_exaone4(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers_full_every(
          4,
          [](LayerSteps& layer) {
            layer.attention({.qk_norm = QkNorm::per_head}).norm("attn_post_norm", Norm::rms);
            layer.feed_forward().norm("ffn_post_norm", Norm::rms);
          })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "exaone4", build_exaone4,
    "post-norm RMSNorm, norm per head of Q and K, 3 windowed layers to 1 full, gated feed-forward");

}  // namespace
}  // namespace roofcast
