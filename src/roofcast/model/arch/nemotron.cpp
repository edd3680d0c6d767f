#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Nemotron-4 and Minitron: squared ReLU behind a plain feed-forward. Source: Parmar et al. 2024
// (arXiv 2402.16819), NVIDIA 2024 (arXiv 2406.11704).
Model build_nemotron(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention();
        layer.norm("ffn_norm", Norm::layer).feed_forward();
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "nemotron", build_nemotron,
    "pre-norm LayerNorm, partial RoPE, grouped queries, plain feed-forward, no biases");

}  // namespace
}  // namespace roofcast
