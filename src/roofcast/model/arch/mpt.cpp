#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// MPT: LayerNorms without bias, ALiBi, no biases. Source: MosaicML 2023, mosaicml/mpt-7b.
Model build_mpt(const ModelCard& card) {
  return ForwardPass(card)
      .embedding()
      .layers([](LayerSteps& layer) {
        layer.norm("attn_norm", Norm::layer_no_bias).attention({.rotary = false});
        layer.norm("ffn_norm", Norm::layer_no_bias).feed_forward();
      })
      .final_norm(Norm::layer_no_bias)
      .head()
      .model();
}

ROOFCAST_ARCHITECTURE(
    "mpt", build_mpt,
    "pre-norm LayerNorm without bias, ALiBi, plain feed-forward, no biases, tied head");

}  // namespace
}  // namespace roofcast
