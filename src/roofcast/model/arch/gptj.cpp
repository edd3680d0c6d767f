#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// GPT-J: attention and feed-forward in parallel behind one norm; biases in the feed-forward and
// the head, none in attention. Source: EleutherAI/gpt-j-6b.
Model build_gptj(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer).attention();
        layer.feed_forward(true);
      })
      .final_norm(Norm::layer)
      .head(true)
      .model();
}

ROOFCAST_ARCHITECTURE(
    "gptj", build_gptj,
    "parallel blocks behind one LayerNorm, partial RoPE, plain feed-forward, head bias");

}  // namespace
}  // namespace roofcast
