#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Gemma 3, text: four norms as Gemma 2, a norm over each head of Q and K, five windowed layers to
// one full. Source: Gemma Team 2025 (arXiv 2503.19786).
Model build_gemma3(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers_full_every(
          6,
          [](LayerSteps& layer) {
            layer.norm("attn_norm", Norm::rms)
                .attention({.qk_norm = QkNorm::per_head})
                .norm("attn_post_norm", Norm::rms);
            layer.norm("ffn_norm", Norm::rms).feed_forward().norm("ffn_post_norm", Norm::rms);
          })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("gemma3", build_gemma3,
                      "RMSNorm before and after each block, norm per head of Q and K, 5 windowed "
                      "layers to 1 full, tied head");

}  // namespace
}  // namespace roofcast
