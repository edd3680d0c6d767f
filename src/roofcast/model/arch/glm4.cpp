#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// GLM-4-0414: norms before and after both blocks. Source: zai-org/GLM-4-32B-0414.
Model build_glm4(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::rms)
            .attention({.bias_when_asked = AttentionBias::qkv})
            .norm("attn_post_norm", Norm::rms);
        layer.norm("ffn_norm", Norm::rms).feed_forward().norm("ffn_post_norm", Norm::rms);
      })
      .final_norm(Norm::rms)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE("glm4", build_glm4,
                      "RMSNorm before and after each block, RoPE on half a head, grouped queries, "
                      "gated feed-forward");

}  // namespace
}  // namespace roofcast
