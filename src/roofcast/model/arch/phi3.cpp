#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Phi-3, Phi-3.5 and Phi-4 without experts: Llama with fused products. Source: Abdin et al. 2024
// (arXiv 2404.14219).
Model build_phi3(const ModelCard& card) {
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
    "phi3", build_phi3,
    "pre-norm RMSNorm, RoPE, optional sliding window, gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
