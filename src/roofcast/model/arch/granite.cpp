#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Granite 3 without experts: Llama with scaled residuals. Source: IBM, granite-3.0-language-
// models.
Model build_granite(const ModelCard& card) {
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

ROOFCAST_ARCHITECTURE(
    "granite", build_granite,
    "pre-norm RMSNorm, RoPE, grouped queries, gated feed-forward, no biases, tied head");

}  // namespace
}  // namespace roofcast
