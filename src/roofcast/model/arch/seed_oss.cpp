#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Seed-OSS: biases on Q, K and V, none on the output of attention. Source: ByteDance-Seed/Seed-
// OSS-36B-Instruct.
Model build_seed_oss(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::rms).attention({.bias = AttentionBias::qkv});
        layer.norm("ffn_norm", Norm::rms).feed_forward();
      })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "seed_oss", build_seed_oss,
    "pre-norm RMSNorm, RoPE, grouped queries, Q, K, V biases, gated feed-forward");

}  // namespace
}  // namespace roofcast
