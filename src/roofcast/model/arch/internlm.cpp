#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// InternLM 1: Llama with biases on Q, K, V and the output of attention. Source:
// internlm/internlm-7b.
Model build_internlm(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::rms).attention({.bias = AttentionBias::all});
        layer.norm("ffn_norm", Norm::rms).feed_forward();
      })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("internlm", build_internlm,
                      "pre-norm RMSNorm, RoPE, attention biases, gated feed-forward");

}  // namespace
}  // namespace roofcast
