#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Command R, Command R+ and Aya: attention and feed-forward in parallel behind one LayerNorm
// without bias; Command R+ (`qk_norm: true`) has weights over the full width of Q and K. Source:
// CohereForAI/c4ai-command-r-v01.
Model build_cohere(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer_no_bias)
            .attention({.qk_norm_when_asked = QkNorm::full_width});
        layer.feed_forward();
      })
      .final_norm(Norm::layer_no_bias)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "cohere", build_cohere,
    "parallel blocks behind one LayerNorm without bias, RoPE, gated feed-forward, tied head");

}  // namespace
}  // namespace roofcast
