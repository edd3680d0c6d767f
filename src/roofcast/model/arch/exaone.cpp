#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// EXAONE 3 and 3.5: the shape of Llama. Source: LG AI Research 2024 (arXiv 2408.03541).
Model build_exaone(const ModelCard& card) {
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

ROOFCAST_ARCHITECTURE("exaone", build_exaone,
                      "pre-norm RMSNorm, RoPE, grouped queries, gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
