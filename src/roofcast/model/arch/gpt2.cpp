#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// GPT-2. Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
Model build_gpt2(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .positions()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer)
            .attention({.bias = AttentionBias::all, .rotary = false});
        layer.norm("ffn_norm", Norm::layer).feed_forward(true);
      })
      .final_norm(Norm::layer)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "gpt2", build_gpt2,
    "pre-norm LayerNorm, learned positions, plain feed-forward, biases, tied head");

}  // namespace
}  // namespace roofcast
