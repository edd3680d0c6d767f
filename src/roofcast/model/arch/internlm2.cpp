#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// InternLM 2 and 2.5: grouped queries, no biases. Source: Cai et al. 2024 (arXiv 2403.17297).
Model build_internlm2(const ModelCard& card) {
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

ROOFCAST_ARCHITECTURE("internlm2", build_internlm2,
                      "pre-norm RMSNorm, RoPE, grouped queries, gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
