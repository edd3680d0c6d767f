#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Mistral 7B, Nemo, Small, Large, Ministral: Llama with a head width of its own and, in v0.1, a
// sliding window in every layer. Source: Jiang et al. 2023 (arXiv 2310.06825).
Model build_mistral(const ModelCard& card) {
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
    "mistral", build_mistral,
    "pre-norm RMSNorm, RoPE, optional sliding window, gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
