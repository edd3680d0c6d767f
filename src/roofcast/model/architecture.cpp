#include "roofcast/model/architecture.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/model/number_format.hpp"
#include "roofcast/model/parameter_count.hpp"

#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// Checks one card; the message names the card, the key as it is written in the file, and the
/// value.
class CardCheck {
 public:
  explicit CardCheck(const ModelCard& card) : card_(card) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw ConfigError(fmt::format("model '{}': {}", card_.name, what));
  }

  void count(std::string_view key, std::int64_t value, std::int64_t limit) const {
    if (value < 1 || value > limit) {
      fail(fmt::format("'{}' must be from 1 to {}, got {}", key, limit, value));
    }
  }

  void count(std::string_view key, const std::optional<std::int64_t>& value,
             std::int64_t limit) const {
    if (value)
      count(key, *value, limit);
  }

  void product(std::string_view keys, std::int64_t a, std::int64_t b) const {
    if (a * b > kMaxWidth)
      fail(fmt::format("{} must be at most {}, got {}", keys, kMaxWidth, a * b));
  }

 private:
  const ModelCard& card_;
};

void check_attention(const ModelCard& card, const CardCheck& check) {
  const ModelCard::Attention& attention = card.attention;
  check.count("attention.heads", attention.heads, kMaxWidth);
  check.count("attention.kv_heads", attention.kv_heads, kMaxWidth);
  check.count("attention.head_dim", attention.head_dim, kMaxWidth);
  check.count("attention.value_dim", attention.value_dim, kMaxWidth);
  check.count("attention.window", attention.window, kMaxTokens);
  check.count("attention.full_every", attention.full_every, kMaxLayers);
  if (attention.heads % attention.kv_heads != 0) {
    check.fail(fmt::format("'attention.kv_heads' must divide 'attention.heads' ({}), got {}",
                           attention.heads, attention.kv_heads));
  }
  check.product("heads x head_dim", attention.heads, attention.head_dim);
  check.product("heads x value_dim", attention.heads,
                attention.value_dim.value_or(attention.head_dim));
  if (attention.full_every && !attention.window) {
    check.fail("'attention.full_every' needs 'attention.window'");
  }
}

void check_card(const ModelCard& card) {
  const CardCheck check(card);
  check.count("vocabulary", card.vocabulary, kMaxWidth);
  check.count("hidden", card.hidden, kMaxWidth);
  check.count("layers", card.layers, kMaxLayers);
  check.count("feed_forward.intermediate", card.feed_forward.intermediate, kMaxWidth);
  check.count("position_rows", card.position_rows, kMaxTokens);
  check.count("embedding_dim", card.embedding_dim, kMaxWidth);
  check.count("context", card.context, kMaxTokens);
  check_attention(card, check);
  number_format(card.weights);
}

/// What every family owes: as many layers as the card has, and no tensor without a size.
void check_model(const Model& model) {
  std::int64_t layers = 0;
  for (const LayerGroup& group : model.groups) {
    ROOFCAST_CHECK(group.count > 0);
    layers += group.count;
  }
  ROOFCAST_CHECK(layers == model.card.layers);
  for (const WeightTensor& tensor : weight_tensors(model)) {
    ROOFCAST_CHECK(tensor.rows > 0 && tensor.columns > 0 && tensor.role != WeightRole::none);
  }
  count_parameters(model);
}

}  // namespace

Model build_model(const ModelCard& card) {
  const Architecture* architecture = Architectures::instance().find(card.family);
  if (architecture == nullptr) {
    throw UsageError(fmt::format("model '{}': unknown family '{}'{}", card.name, card.family,
                                 did_you_mean(card.family, Architectures::instance().names())));
  }
  check_card(card);
  Model model = architecture->build(card);
  check_model(model);
  return model;
}

}  // namespace roofcast
