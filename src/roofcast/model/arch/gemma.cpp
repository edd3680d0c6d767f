#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Gemma 1: heads of 256, whatever hidden is; the head is the token table. Source: Gemma Team 2024
// (arXiv 2403.08295).
Model build_gemma(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::rms).attention();
        layer.norm("ffn_norm", Norm::rms).feed_forward();
      })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("gemma", build_gemma,
                      "pre-norm RMSNorm, RoPE, gated feed-forward, tied head");

}  // namespace
}  // namespace roofcast
