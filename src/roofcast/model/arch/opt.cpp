#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// OPT. A card with `embedding_dim` is OPT-350M: a narrow token table, norms behind the blocks and
// none at the end. Source: Zhang et al. 2022 (arXiv 2205.01068).
Model build_opt(const ModelCard& card) {
  const bool post_norm = card.embedding_dim.has_value();
  ForwardPass pass(card);
  pass.embedding().project_in().positions();
  pass.layers([post_norm](LayerSteps& layer) {
    if (!post_norm)
      layer.norm("attn_norm", Norm::layer);
    layer.attention({.bias = AttentionBias::all, .rotary = false});
    layer.norm(post_norm ? "attn_post_norm" : "ffn_norm", Norm::layer).feed_forward(true);
    if (post_norm)
      layer.norm("ffn_post_norm", Norm::layer);
  });
  if (!post_norm)
    pass.final_norm(Norm::layer);
  return pass.project_out().head().model();
}

ROOFCAST_ARCHITECTURE("opt", build_opt,
                      "pre-norm LayerNorm (350M: post-norm), learned positions, plain "
                      "feed-forward, biases, tied head");

}  // namespace
}  // namespace roofcast
