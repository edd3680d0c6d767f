#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Falcon 7B, 40B and 180B: attention and feed-forward in parallel. The 7B has one head of K and V
// and one norm for both blocks; the larger ones (the "new decoder") have grouped queries and a
// norm each. Source: Almazrouei et al. 2023 (arXiv 2311.16867).
Model build_falcon(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention();
        if (layer.card().attention.kv_heads > 1)
          layer.norm("ffn_norm", Norm::layer);
        layer.feed_forward();
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("falcon", build_falcon,
                      "parallel blocks, multi-query (7B) or grouped queries, RoPE, plain "
                      "feed-forward, no biases, tied head");

}  // namespace
}  // namespace roofcast
