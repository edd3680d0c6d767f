#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Llama 1 to 3.3, Code Llama, Yi, TinyLlama, SmolLM and whatever else takes its shape. Source:
// Touvron et al. 2023 (arXiv 2302.13971, 2307.09288), Grattafiori et al. 2024 (arXiv 2407.21783).
Model build_llama(const ModelCard& card) {
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

ROOFCAST_ARCHITECTURE("llama", build_llama,
                      "pre-norm RMSNorm, RoPE, gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
