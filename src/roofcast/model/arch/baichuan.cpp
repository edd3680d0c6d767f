#include "roofcast/model/arch_blocks.hpp"

namespace roofcast {
namespace {

// Baichuan 1 and 2; the 13B models use ALiBi where the 7B ones rotate, which changes no tensor.
// Source: Yang et al. 2023 (arXiv 2309.10305).
Model build_baichuan(const ModelCard& card) {
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

ROOFCAST_ARCHITECTURE("baichuan", build_baichuan,
                      "pre-norm RMSNorm, RoPE (13B: ALiBi), gated feed-forward, no biases");

}  // namespace
}  // namespace roofcast
