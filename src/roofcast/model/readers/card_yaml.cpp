#include "roofcast/model/readers/card_yaml.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/input/field_reader.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/number_format.hpp"
#include "roofcast/model/parameter_count.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::array<std::string_view, 1> kSchemas = {"roofcast/model/1"};
constexpr std::array<std::string_view, 2> kFeedForwards = {"gated", "plain"};
constexpr std::int64_t kMostParameters = std::int64_t{1} << 53;
constexpr std::int64_t kMostBytesPerToken = std::int64_t{1} << 40;
constexpr std::size_t kMostAliases = 64;
constexpr std::size_t kLongestName = 96;
constexpr std::size_t kLongestSource = 1000;

using Count = std::optional<std::int64_t>;

/// Nothing when it is missing or wrong, both of which are reported: no check between two fields may
/// rest on a default and accuse the field that is right.
Count required_count(FieldReader& fields, std::string_view key, std::int64_t high) {
  if (fields.has(key))
    return fields.optional_count(key, 1, high);
  fields.count(key, 1, high);
  return std::nullopt;
}

std::optional<bool> optional_flag(FieldReader& fields, std::string_view key) {
  if (!fields.node(key))
    return std::nullopt;
  return fields.flag(key);
}

void check_width(FieldReader& fields, std::string_view key, Count heads, Count dim) {
  if (!heads || !dim || *heads <= kMaxWidth / *dim)
    return;
  fields.problem(key, fmt::format("'heads' x '{}' must not pass {}, got {} x {}", key, kMaxWidth,
                                  *heads, *dim));
}

void check_windows(FieldReader& fields, Count window, Count full_every, Count layers) {
  if (!full_every)
    return;
  if (!window && !fields.has("window")) {
    fields.problem("full_every", "'full_every' says which layers have no window: it needs one");
  } else if (layers && *full_every > *layers) {
    fields.problem("full_every", fmt::format("'full_every' must not pass 'layers' ({}), got {}",
                                             *layers, *full_every));
  }
}

void read_attention(FieldReader& fields, ModelCard::Attention& attention, Count layers) {
  const Count heads = required_count(fields, "heads", kMaxWidth);
  const Count kv_heads = required_count(fields, "kv_heads", kMaxWidth);
  const Count head_dim = required_count(fields, "head_dim", kMaxWidth);
  attention.value_dim = fields.optional_count("value_dim", 1, kMaxWidth);
  attention.window = fields.optional_count("window", 1, kMaxTokens);
  attention.full_every = fields.optional_count("full_every", 2, kMaxLayers);
  attention.bias = optional_flag(fields, "bias");
  attention.qk_norm = optional_flag(fields, "qk_norm");
  attention.heads = heads.value_or(1);
  attention.kv_heads = kv_heads.value_or(1);
  attention.head_dim = head_dim.value_or(1);
  if (heads && kv_heads && *heads % *kv_heads != 0) {
    fields.problem("kv_heads",
                   fmt::format("'kv_heads' must divide 'heads' ({}), got {}", *heads, *kv_heads));
  }
  check_width(fields, "head_dim", heads, head_dim);
  check_width(fields, "value_dim", heads, attention.value_dim);
  check_windows(fields, attention.window, attention.full_every, layers);
}

void read_feed_forward(FieldReader& fields, ModelCard::FeedForward& feed_forward) {
  feed_forward.gated = fields.choice("kind", kFeedForwards) == "gated";
  feed_forward.intermediate = required_count(fields, "intermediate", kMaxWidth).value_or(1);
  feed_forward.bias = optional_flag(fields, "bias");
}

/// Names and sources are printed as they are: nothing in them may steer a terminal.
void check_printable(FieldReader& fields, std::string_view key, std::string_view text,
                     std::size_t longest) {
  if (printable(text, longest) != text) {
    fields.problem(key, fmt::format("'{}' must be at most {} characters, none of them a control "
                                    "character",
                                    key, longest));
  }
}

void read_weights(FieldReader& root, ModelCard& card) {
  card.weights = root.text("weights");
  if (card.weights.empty() || find_number_format(card.weights))
    return;
  std::vector<std::string_view> names;
  for (const NumberFormat& format : number_formats())
    names.push_back(format.name);
  root.problem("weights", fmt::format("unknown number format '{}'{}", printable(card.weights),
                                      did_you_mean(card.weights, names)));
}

void read_names(FieldReader& root, ModelCard& card) {
  root.choice("schema", kSchemas);
  card.name = root.text("name");
  check_printable(root, "name", card.name, kLongestName);
  card.aliases = root.optional_texts("aliases");
  for (const std::string& alias : card.aliases)
    check_printable(root, "aliases", alias, kLongestName);
  if (card.aliases.size() > kMostAliases)
    root.problem("aliases", fmt::format("at most {} aliases", kMostAliases));
  const std::vector<std::string_view> families = Architectures::instance().names();
  card.family = root.choice("family", families);
}

void read_shape(FieldReader& root, ModelCard& card) {
  card.vocabulary = required_count(root, "vocabulary", kMaxWidth).value_or(1);
  card.hidden = required_count(root, "hidden", kMaxWidth).value_or(1);
  const Count layers = required_count(root, "layers", kMaxLayers);
  card.layers = layers.value_or(1);
  root.section("attention", true,
               [&](FieldReader& fields) { read_attention(fields, card.attention, layers); });
  root.section("feed_forward", true,
               [&](FieldReader& fields) { read_feed_forward(fields, card.feed_forward); });
  card.position_rows = root.optional_count("position_rows", 1, kMaxWidth);
  card.embedding_dim = root.optional_count("embedding_dim", 1, kMaxWidth);
  card.tied_embeddings = root.flag("tied_embeddings");
  const Count context = required_count(root, "context", kMaxTokens);
  card.context = context.value_or(1);
  if (context && card.position_rows && *context > *card.position_rows) {
    root.problem("context", fmt::format("'context' must not pass 'position_rows' ({}), got {}",
                                        *card.position_rows, *context));
  }
}

/// "embedding 131072000, qkv 1610612736, ...": what each kind of module adds to the census.
std::string list_by_module(const Model& model) {
  std::vector<std::pair<std::string_view, std::int64_t>> sums;
  for (const WeightTensor& tensor : weight_tensors(model)) {
    const auto known = std::find_if(sums.begin(), sums.end(),
                                    [&](const auto& sum) { return sum.first == tensor.name; });
    if (known == sums.end()) {
      sums.emplace_back(tensor.name, tensor.parameters());
    } else {
      known->second += tensor.parameters();
    }
  }
  std::string text;
  for (const auto& [name, sum] : sums)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, sum);
  return text;
}

/// The usual reasons why a stated total is not what the tensors add up to.
std::string_view likely_cause(const ModelCard& card, std::int64_t excess) {
  const std::int64_t table = card.vocabulary * card.embedding_dim.value_or(card.hidden);
  if (card.tied_embeddings && excess == table)
    return "; one token table apart: a stored copy of a tied head is no parameter of its own";
  if (!card.tied_embeddings && excess == -table)
    return "; one token table apart: is the head tied to it?";
  if (excess == card.layers * card.attention.head_dim / 2)
    return "; stored rotary frequencies are no parameters";
  return "";
}

void check_parameters(const Model& model, FieldReader& root) {
  const std::int64_t census = count_parameters(model).total;
  const std::int64_t excess = model.card.parameters - census;
  if (excess == 0)
    return;
  root.problem("parameters",
               fmt::format("'parameters' is {}, but the tensors add up to {} ({} {}): {}{}",
                           model.card.parameters, census, excess > 0 ? excess : -excess,
                           excess > 0 ? "fewer" : "more", list_by_module(model),
                           likely_cause(model.card, excess)));
}

void check_kv(const Model& model, const Document& document, ProblemList& problems) {
  if (!model.card.kv_bytes_per_token)
    return;
  const double stated = static_cast<double>(*model.card.kv_bytes_per_token);
  const BytesPerToken one = BytesPerToken::from_value(1.0);
  const double kept = kv_bytes_per_token(model, number_format("bf16"), 1) / one;
  if (kept == stated)
    return;
  problems.add(document.root.find("checks")->find("kv_bytes_per_token")->at,
               fmt::format("'kv_bytes_per_token' is {:.0f}, but {} layers keep {:.0f} in 16 bits",
                           stated, model.card.layers, kept));
}

/// What only the whole card can show; each field is right by now.
void check_model(const ModelCard& card, const Document& document, FieldReader& root,
                 ProblemList& problems) {
  try {
    const Model model = build_model(card);
    check_parameters(model, root);
    check_kv(model, document, problems);
  } catch (const ConfigError& error) {
    root.problem("family", error.what());
  }
}

}  // namespace

ModelCard read_model_card(const Document& document) {
  ProblemList problems(document);
  FieldReader root(document.root, problems);
  ModelCard card;
  read_names(root, card);
  read_shape(root, card);
  read_weights(root, card);
  card.parameters = required_count(root, "parameters", kMostParameters).value_or(1);
  card.source = root.text("source");
  check_printable(root, "source", card.source, kLongestSource);
  root.section("checks", false, [&](FieldReader& checks) {
    card.kv_bytes_per_token = checks.optional_count("kv_bytes_per_token", 1, kMostBytesPerToken);
  });
  root.finish();
  if (problems.empty())
    check_model(card, document, root, problems);
  problems.finish();
  return card;
}

}  // namespace roofcast
