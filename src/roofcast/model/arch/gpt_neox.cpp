#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// GPT-NeoX-20B, Pythia, RedPajama-INCITE. Attention and feed-forward run in parallel (RedPajama:
// in sequence), each behind its own norm: the same products either way. Source: Black et al. 2022
// (arXiv 2204.06745), Biderman et al. 2023 (arXiv 2304.01373).
Model build_gpt_neox(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention({.bias = AttentionBias::all});
        layer.norm("ffn_norm", Norm::layer).feed_forward(true);
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "gpt_neox", build_gpt_neox,
    "parallel blocks, a LayerNorm each, partial RoPE, plain feed-forward, biases");

}  // namespace
}  // namespace roofcast
