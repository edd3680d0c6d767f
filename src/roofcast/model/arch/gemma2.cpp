#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Gemma 2: norms before and after both blocks; every second layer, from the first, is windowed.
// Source: Gemma Team 2024 (arXiv 2408.00118).
Model build_gemma2(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers_full_every(
          2,
          [](LayerSteps& layer) {
            layer.norm("attn_norm", Norm::rms).attention().norm("attn_post_norm", Norm::rms);
            layer.norm("ffn_norm", Norm::rms).feed_forward().norm("ffn_post_norm", Norm::rms);
          })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("gemma2", build_gemma2,
                      "RMSNorm before and after each block, windows on every second layer, gated "
                      "feed-forward, tied head");

}  // namespace
}  // namespace roofcast
