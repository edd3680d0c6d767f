#pragma once

#include "roofcast/model/architecture.hpp"
#include "roofcast/model/model.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// The words in which a family (arch/<family>.cpp) writes down its forward pass: one call per step,
/// in the order in which the model runs.
namespace roofcast {

enum class Norm {
  rms,            ///< RMSNorm: a weight per feature
  layer,          ///< LayerNorm: weight and bias
  layer_no_bias,  ///< LayerNorm: weight alone
  no_weights,     ///< LayerNorm without parameters (OLMo 1)
};

/// Which linear layers of the attention have a bias.
enum class AttentionBias { none, qkv, all };

/// Norm of Q and K before attention, weights alone.
enum class QkNorm {
  none,
  per_head,    ///< one vector of head_dim each, shared by the heads
  full_width,  ///< heads * head_dim and kv_heads * head_dim weights
};

/// What a family's attention is when the card does not say otherwise, and what a card's `bias:
/// true` or `qk_norm: true` means where the family usually has none.
struct AttentionStyle {
  AttentionBias bias = AttentionBias::none;
  AttentionBias bias_when_asked = AttentionBias::all;
  QkNorm qk_norm = QkNorm::none;
  QkNorm qk_norm_when_asked = QkNorm::per_head;
  bool rotary = true;  ///< false: learned positions or ALiBi, which leave Q and K as they are
};

/// The steps of one layer.
class LayerSteps {
 public:
  LayerSteps(const ModelCard& card, const AttentionShape& attention)
      : card_(card), shape_(attention) {}

  LayerSteps& norm(std::string_view name, Norm kind);
  /// Q, K and V as one product, norms of Q and K, rotation and cache, attention, output projection.
  LayerSteps& attention(const AttentionStyle& style = {});
  /// Gate and up as one product where the card says gated, activation, down.
  LayerSteps& feed_forward(bool bias = false);

  [[nodiscard]] const ModelCard& card() const { return card_; }
  [[nodiscard]] std::vector<Module> take() { return std::move(modules_); }

 private:
  void qk_norm(QkNorm kind);

  const ModelCard& card_;
  AttentionShape shape_;
  std::vector<Module> modules_;
};

/// The steps of a whole model.
class ForwardPass {
 public:
  explicit ForwardPass(const ModelCard& card) { model_.card = card; }

  ForwardPass& embedding();
  /// From a token table that is narrower than the model, and back before the head; nothing where
  /// the card has no `embedding_dim` (OPT-350M has one).
  ForwardPass& project_in();
  ForwardPass& project_out();
  /// A learned table, added to the embedding. @throws ConfigError  without `position_rows`
  ForwardPass& positions();
  ForwardPass& embedding_norm(Norm kind);
  /// Every layer, all alike; windowed where the card has a window, unless its `full_every` says
  /// that the last of so many attends to everything.
  ForwardPass& layers(const std::function<void(LayerSteps&)>& describe);
  /// The same for a family that interleaves windows in a fixed rhythm; the card's own comes first.
  ForwardPass& layers_full_every(std::int64_t rhythm,
                                 const std::function<void(LayerSteps&)>& describe);
  ForwardPass& final_norm(Norm kind);
  ForwardPass& head(bool bias = false);
  /// @throws ConfigError  when the card has learned positions or a narrower table, and the family
  /// does not
  Model model();

 private:
  [[nodiscard]] std::int64_t table_width() const;
  void add_layers(std::optional<std::int64_t> rhythm,
                  const std::function<void(LayerSteps&)>& describe);
  void add_group(std::int64_t count, std::optional<std::int64_t> window,
                 const std::function<void(LayerSteps&)>& describe);

  Model model_;
  bool positions_ = false;
  bool narrow_table_ = false;
};

}  // namespace roofcast
