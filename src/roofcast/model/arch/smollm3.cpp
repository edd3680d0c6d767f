#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// SmolLM3: every fourth layer goes without rotation, which changes no tensor. Source:
// HuggingFaceTB/SmolLM3-3B.
Model build_smollm3(const ModelCard& card) {
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
    "smollm3", build_smollm3,
    "pre-norm RMSNorm, RoPE on 3 layers of 4, grouped queries, gated feed-forward, tied head");

}  // namespace
}  // namespace roofcast
