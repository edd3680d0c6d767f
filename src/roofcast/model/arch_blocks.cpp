#include "roofcast/model/arch_blocks.hpp"

#include "roofcast/base/error.hpp"

#include <string>

namespace roofcast {
namespace {

Module norm_module(std::string_view name, std::int64_t width, Norm kind) {
  const bool weight = kind != Norm::no_weights;
  return {.kind = ModuleKind::norm,
          .name = name,
          .columns = width,
          .bias = kind == Norm::layer,
          .weight = weight,
          .role = weight ? WeightRole::small : WeightRole::none};
}

Module linear(std::string_view name, std::int64_t rows, std::int64_t columns, bool bias,
              std::int64_t parts = 1) {
  return {.kind = ModuleKind::linear,
          .name = name,
          .rows = rows,
          .columns = columns,
          .parts = parts,
          .bias = bias,
          .role = WeightRole::matrix};
}

AttentionBias bias_of(const ModelCard& card, const AttentionStyle& style) {
  if (!card.attention.bias)
    return style.bias;
  if (!*card.attention.bias)
    return AttentionBias::none;
  return style.bias == AttentionBias::none ? style.bias_when_asked : style.bias;
}

QkNorm qk_norm_of(const ModelCard& card, const AttentionStyle& style) {
  if (!card.attention.qk_norm)
    return style.qk_norm;
  if (!*card.attention.qk_norm)
    return QkNorm::none;
  return style.qk_norm == QkNorm::none ? style.qk_norm_when_asked : style.qk_norm;
}

}  // namespace

LayerSteps& LayerSteps::norm(std::string_view name, Norm kind) {
  modules_.push_back(norm_module(name, card_.hidden, kind));
  return *this;
}

void LayerSteps::qk_norm(QkNorm kind) {
  if (kind == QkNorm::none)
    return;
  const auto add = [&](std::string_view name, std::int64_t heads) {
    const bool shared = kind == QkNorm::per_head;
    Module module = norm_module(name, shared ? shape_.key_dim : heads * shape_.key_dim, Norm::rms);
    module.rows = shared ? heads : 1;
    modules_.push_back(module);
  };
  add("q_norm", shape_.heads);
  add("k_norm", shape_.kv_heads);
}

LayerSteps& LayerSteps::attention(const AttentionStyle& style) {
  const AttentionBias bias = bias_of(card_, style);
  const std::int64_t q_rows = shape_.heads * shape_.key_dim;
  modules_.push_back(
      linear("qkv", q_rows + shape_.kv_elements(), card_.hidden, bias != AttentionBias::none, 3));
  qk_norm(qk_norm_of(card_, style));
  modules_.push_back({.kind = ModuleKind::rope_kv,
                      .name = style.rotary ? "rope_kv" : "kv_append",
                      .attention = shape_});
  modules_.push_back({.kind = ModuleKind::attention, .name = "attention", .attention = shape_});
  modules_.push_back(linear("attn_out", card_.hidden, shape_.heads * shape_.value_dim,
                            bias == AttentionBias::all));
  return *this;
}

LayerSteps& LayerSteps::feed_forward(bool bias) {
  const ModelCard::FeedForward& ffn = card_.feed_forward;
  const bool biased = ffn.bias.value_or(bias);
  modules_.push_back(ffn.gated ? linear("gate_up", 2 * ffn.intermediate, card_.hidden, biased, 2)
                               : linear("up", ffn.intermediate, card_.hidden, biased));
  modules_.push_back({.kind = ModuleKind::activation,
                      .name = "activation",
                      .columns = ffn.intermediate,
                      .gated = ffn.gated});
  modules_.push_back(linear("down", card_.hidden, ffn.intermediate, biased));
  return *this;
}

std::int64_t ForwardPass::table_width() const {
  return model_.card.embedding_dim.value_or(model_.card.hidden);
}

ForwardPass& ForwardPass::embedding() {
  model_.before.push_back({.kind = ModuleKind::embedding,
                           .name = "embedding",
                           .rows = model_.card.vocabulary,
                           .columns = table_width(),
                           .role = WeightRole::embedding});
  return *this;
}

ForwardPass& ForwardPass::project_in() {
  narrow_table_ = true;
  if (model_.card.embedding_dim) {
    model_.before.push_back(linear("project_in", model_.card.hidden, table_width(), false));
  }
  return *this;
}

ForwardPass& ForwardPass::project_out() {
  if (model_.card.embedding_dim) {
    model_.after.push_back(linear("project_out", table_width(), model_.card.hidden, false));
  }
  return *this;
}

ForwardPass& ForwardPass::positions() {
  const ModelCard& card = model_.card;
  if (!card.position_rows) {
    throw ConfigError("family '" + card.family +
                      "' adds learned positions: 'position_rows' is missing");
  }
  positions_ = true;
  model_.before.push_back({.kind = ModuleKind::positions,
                           .name = "positions",
                           .rows = *card.position_rows,
                           .columns = card.hidden,
                           .role = WeightRole::small});
  return *this;
}

ForwardPass& ForwardPass::embedding_norm(Norm kind) {
  model_.before.push_back(norm_module("embedding_norm", model_.card.hidden, kind));
  return *this;
}

void ForwardPass::add_group(std::int64_t count, std::optional<std::int64_t> window,
                            const std::function<void(LayerSteps&)>& describe) {
  if (count <= 0)
    return;
  const ModelCard::Attention& a = model_.card.attention;
  LayerSteps layer(model_.card, {.heads = a.heads,
                                 .kv_heads = a.kv_heads,
                                 .key_dim = a.head_dim,
                                 .value_dim = a.value_dim.value_or(a.head_dim),
                                 .window = window});
  describe(layer);
  model_.groups.push_back({.count = count, .modules = layer.take()});
}

void ForwardPass::add_layers(std::optional<std::int64_t> rhythm,
                             const std::function<void(LayerSteps&)>& describe) {
  const std::int64_t layers = model_.card.layers;
  const ModelCard::Attention& attention = model_.card.attention;
  if (attention.full_every)
    rhythm = attention.full_every;
  std::int64_t full = layers;
  if (attention.window)
    full = rhythm ? layers / *rhythm : 0;
  add_group(layers - full, attention.window, describe);
  add_group(full, std::nullopt, describe);
}

ForwardPass& ForwardPass::layers(const std::function<void(LayerSteps&)>& describe) {
  add_layers(std::nullopt, describe);
  return *this;
}

ForwardPass& ForwardPass::layers_full_every(std::int64_t rhythm,
                                            const std::function<void(LayerSteps&)>& describe) {
  add_layers(rhythm, describe);
  return *this;
}

ForwardPass& ForwardPass::final_norm(Norm kind) {
  model_.after.push_back(norm_module("final_norm", model_.card.hidden, kind));
  return *this;
}

ForwardPass& ForwardPass::head(bool bias) {
  model_.after.push_back({.kind = ModuleKind::head,
                          .name = "head",
                          .rows = model_.card.vocabulary,
                          .columns = table_width(),
                          .bias = bias,
                          .weight = !model_.card.tied_embeddings,
                          .role = WeightRole::head});
  return *this;
}

Model ForwardPass::model() {
  const ModelCard& card = model_.card;
  if (card.position_rows && !positions_) {
    throw ConfigError("family '" + card.family +
                      "' has no learned positions, but 'position_rows' is set");
  }
  if (card.embedding_dim && !narrow_table_) {
    throw ConfigError("family '" + card.family +
                      "' has a token table as wide as the model, but 'embedding_dim' is set");
  }
  return std::move(model_);
}

}  // namespace roofcast
