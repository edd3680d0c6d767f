#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/parameter_count.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/report/build_lists.hpp"
#include "roofcast/report/matching.hpp"
#include "roofcast/units/format.hpp"

#include <string>

namespace roofcast {
namespace {

bool matches(const ModelCard& card, std::string_view filter) {
  std::vector<std::string> texts = card.aliases;
  texts.push_back(card.name);
  texts.push_back(card.family);
  return any_contains(texts, filter);
}

std::string attention_kind(const ModelCard::Attention& attention) {
  const std::string window = attention.window ? ", sliding window" : "";
  if (attention.kv_heads == attention.heads)
    return "MHA" + window;
  return (attention.kv_heads == 1 ? "MQA" : "GQA") + window;
}

Grid tensor_grid(const Model& model) {
  Grid grid{.key = "tensors",
            .title = "Weight tensors",
            .columns = {{.key = "name", .label = "tensor", .left = true},
                        {.key = "copies", .label = "copies"},
                        {.key = "rows", .label = "rows"},
                        {.key = "columns", .label = "columns"},
                        {.key = "parameters", .label = "parameters"}}};
  for (const WeightTensor& tensor : weight_tensors(model)) {
    const std::string suffix = tensor.vector ? " (vector)" : "";
    grid.rows.push_back({std::string(tensor.name) + suffix, tensor.copies, tensor.rows,
                         tensor.columns, tensor.parameters()});
  }
  return grid;
}

Record shape_record(const ModelCard& card) {
  const ModelCard::Attention& attention = card.attention;
  Record shape{.title = "Shape"};
  shape.fields = {{.key = "layers", .label = "layers", .value = card.layers},
                  {.key = "hidden", .label = "hidden", .value = card.hidden},
                  {.key = "heads", .label = "heads", .value = attention.heads},
                  {.key = "kv_heads",
                   .label = "KV heads",
                   .value = attention.kv_heads,
                   .note = attention_kind(attention)},
                  {.key = "head_dim", .label = "head width", .value = attention.head_dim},
                  {.key = "value_dim",
                   .label = attention.value_dim ? "value width" : "",
                   .value = value_or_null(attention.value_dim)},
                  {.key = "window",
                   .label = attention.window ? "window" : "",
                   .value = value_or_null(attention.window),
                   .note = "tokens"},
                  {.key = "intermediate",
                   .label = "feed-forward",
                   .value = card.feed_forward.intermediate,
                   .note = card.feed_forward.gated ? "gated" : "plain"},
                  {.key = "gated", .value = card.feed_forward.gated},
                  {.key = "vocabulary",
                   .label = "vocabulary",
                   .value = card.vocabulary,
                   .note = card.tied_embeddings ? "table shared with the head" : ""},
                  {.key = "tied_embeddings", .value = card.tied_embeddings},
                  {.key = "context", .label = "context", .value = card.context, .note = "tokens"}};
  return shape;
}

Record size_record(const Model& model) {
  const PrecisionPlan plan = plan_precision(model.card, {.weights = model.card.weights});
  const ParameterCount count = count_parameters(model);
  Record size{.title = "Size, as published"};
  size.fields = {{.key = "parameters.total", .label = "parameters", .value = count.total},
                 {.key = "parameters.active", .value = count.active},
                 {.key = "parameters.embedding",
                  .label = "token table",
                  .value = count.embedding,
                  .note = "of them"},
                 {.key = "weights", .label = "weights", .value = model.card.weights},
                 {.key = "weights_bytes",
                  .label = "their size",
                  .value = Capacity{weight_bytes(model, plan).total()}},
                 {.key = "kv_bytes_per_token",
                  .label = "KV cache",
                  .value = kv_bytes_per_token(model, *plan.kv, 1)}};
  return size;
}

}  // namespace

Report build_models_report(const std::vector<Model>& models, std::string_view filter) {
  Grid grid{.columns = {{.key = "name", .label = "model", .left = true},
                        {.key = "family", .label = "family", .left = true, .wide_only = true},
                        {.key = "parameters", .label = "parameters"},
                        {.key = "layers", .label = "layers", .wide_only = true},
                        {.key = "hidden", .label = "hidden", .wide_only = true},
                        {.key = "heads", .label = "heads", .wide_only = true},
                        {.key = "kv_heads", .label = "KV heads", .wide_only = true},
                        {.key = "context", .label = "context"},
                        {.key = "weights", .label = "weights", .left = true},
                        {.key = "weights_bytes", .label = "size"},
                        {.key = "kv_bytes_per_token", .label = "KV growth"}}};
  for (const Model& model : models) {
    const ModelCard& card = model.card;
    if (!matches(card, filter))
      continue;
    const PrecisionPlan plan = plan_precision(card, {.weights = card.weights});
    grid.rows.push_back({card.name, card.family, count_parameters(model).total, card.layers,
                         card.hidden, card.attention.heads, card.attention.kv_heads, card.context,
                         card.weights, Capacity{weight_bytes(model, plan).total()},
                         kv_bytes_per_token(model, *plan.kv, 1)});
  }
  Report report{.command = "models", .heading = "Models"};
  report.blocks.emplace_back(std::move(grid));
  return report;
}

Report build_model_report(const Model& model) {
  const ModelCard& card = model.card;
  Record names;
  names.fields = {{.key = "name", .value = card.name},
                  {.key = "family", .label = "family", .value = card.family},
                  {.key = "aliases", .label = "also called", .value = joined(card.aliases)},
                  {.key = "source", .label = "source", .value = card.source}};
  Report report{.command = "models", .heading = card.name};
  report.blocks = {std::move(names), shape_record(card), size_record(model), tensor_grid(model)};
  return report;
}

}  // namespace roofcast
