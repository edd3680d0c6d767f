#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/parameter_count.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/report/build_lists.hpp"
#include "roofcast/report/matching.hpp"
#include "roofcast/report/request_records.hpp"
#include "roofcast/units/format.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

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

/// "32", or "52, window 1,024" and "10, full" where the layers of a model differ.
std::string layers_text(const Model& model, const LayerGroup& group) {
  const std::string count = format_count(group.count);
  if (const std::optional<std::int64_t> window = window_of(group))
    return fmt::format("{}, window {}", count, format_count(*window));
  return model.groups.size() > 1 ? count + ", full" : count;
}

/// The rows of one part of the model; `group` is null outside the layers.
void add_tensors(Grid& grid, const Model& whole, const Model& part, const LayerGroup* group) {
  for (const WeightTensor& tensor : weight_tensors(part)) {
    grid.rows.push_back(
        {std::string(tensor.name), group ? layers_text(whole, *group) : std::string(),
         group ? Value{group->count} : Value{}, group ? value_or_null(window_of(*group)) : Value{},
         tensor.vector, tensor.copies, tensor.rows, tensor.columns, tensor.parameters()});
  }
}

Grid tensor_grid(const Model& model) {
  Grid grid{.key = "tensors",
            .title = "Weight tensors",
            .columns = {{.key = "name", .label = "tensor", .left = true},
                        {.label = "layers", .left = true},
                        {.key = "layers"},
                        {.key = "window"},
                        {.key = "vector"},
                        {.key = "copies", .label = "copies"},
                        {.key = "rows", .label = "rows"},
                        {.key = "columns", .label = "columns"},
                        {.key = "parameters", .label = "parameters"}},
            .details = true};
  const auto part = [&model](auto member, const auto& modules) {
    Model only{.card = model.card, .before = {}, .groups = {}, .after = {}};
    only.*member = modules;
    return only;
  };
  add_tensors(grid, model, part(&Model::before, model.before), nullptr);
  for (const LayerGroup& group : model.groups)
    add_tensors(grid, model, part(&Model::groups, std::vector{group}), &group);
  add_tensors(grid, model, part(&Model::after, model.after), nullptr);
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
                  .value = kv_bytes_per_token(model, *plan.kv, 1),
                  .note = has_window(model) ? "below the window" : ""}};
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
  bool windowed = false;
  for (const Model& model : models) {
    const ModelCard& card = model.card;
    if (!matches(card, filter))
      continue;
    windowed = windowed || has_window(model);
    const PrecisionPlan plan = plan_precision(card, {.weights = card.weights});
    grid.rows.push_back({card.name, card.family, count_parameters(model).total, card.layers,
                         card.hidden, card.attention.heads, card.attention.kv_heads, card.context,
                         card.weights, Capacity{weight_bytes(model, plan).total()},
                         kv_bytes_per_token(model, *plan.kv, 1)});
  }
  if (windowed)
    grid.columns.back().label = "KV below the window";
  Report report{.command = "models", .heading = "Models"};
  report.blocks.emplace_back(std::move(grid));
  return report;
}

Report build_model_report(const Model& model) {
  const ModelCard& card = model.card;
  Record names;
  names.fields = {{.key = "name", .value = card.name},
                  {.key = "family", .label = "family", .value = card.family},
                  {.key = "aliases", .label = "also called", .value = card.aliases},
                  {.key = "source", .label = "source", .value = card.source}};
  Report report{.command = "models", .heading = card.name};
  report.blocks = {std::move(names), shape_record(card), size_record(model), tensor_grid(model)};
  return report;
}

}  // namespace roofcast
