#include "roofcast/model/precision_plan.hpp"

#include "roofcast/base/error.hpp"

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::string_view kAuto = "auto";

/// Norms, biases and what passes between kernels can be in it.
bool can_work(const NumberFormat& format) {
  return format.kind == FormatKind::floating && format.element_bits >= 16;
}

bool is_index(const NumberFormat& format) {
  return format.kind == FormatKind::integer && format.element_bits > 8;
}

/// What a product can read as its activations: elements that hardware multiplies, scaled along the
/// row.
bool can_be_activations(const NumberFormat& format) {
  return format.native_operand && format.layout == BlockLayout::row;
}

/// What a cache can hold: whole blocks within a head's row. The GGUF types are those of llama.cpp's
/// --cache-type-k, which have blocks of 32 (Q8_1 is an intermediate of its products).
bool can_be_kv(const NumberFormat& format) {
  if (format.kind == FormatKind::gguf) {
    return format.block_elements == 32 && format.name != "q8_1";
  }
  return can_be_activations(format);
}

bool can_be_weights(const NumberFormat& format) {
  return !is_index(format);
}

const NumberFormat& choose(std::string_view wanted, const NumberFormat& automatic,
                           bool (*serves)(const NumberFormat&), std::string_view where) {
  if (wanted == kAuto)
    return automatic;
  const NumberFormat& format = number_format(wanted);
  if (!serves(format)) {
    throw UsageError(fmt::format("'{}' cannot be the format of {}", format.name, where) +
                     (format.native_operand ? "" : ": no hardware multiplies it as it is"));
  }
  return format;
}

/// Table and head share one format where they are one tensor: whichever is named decides for both.
PrecisionRequest with_tied_head(PrecisionRequest request) {
  if (request.embedding == kAuto)
    request.embedding = request.head;
  if (request.head == kAuto)
    request.head = request.embedding;
  if (request.head != kAuto && &number_format(request.head) != &number_format(request.embedding)) {
    throw ConfigError(fmt::format(
        "the head is tied to the embedding, one table for both: it cannot be '{}' and '{}' at once",
        request.embedding, request.head));
  }
  return request;
}

}  // namespace

const NumberFormat& PrecisionPlan::of(WeightRole role) const {
  switch (role) {
    case WeightRole::embedding:
      return *embedding;
    case WeightRole::head:
      return *head;
    case WeightRole::matrix:
      return *weights;
    case WeightRole::small:
      return *small;
    case WeightRole::none:
      break;
  }
  throw InternalError("a module without weights has no format");
}

PrecisionPlan plan_precision(const ModelCard& card, const PrecisionRequest& request) {
  const PrecisionRequest asked = card.tied_embeddings ? with_tied_head(request) : request;
  const NumberFormat& published = number_format(card.weights);
  const bool wide = can_work(published) && published.element_bits > 16;
  const NumberFormat& checkpoint = wide ? number_format("fp16") : published;
  const NumberFormat& weights = choose(asked.weights, checkpoint, can_be_weights, "weights");
  const NumberFormat& working = can_work(weights)      ? weights
                                : can_work(checkpoint) ? checkpoint
                                                       : number_format("bf16");
  const NumberFormat& table = weights.kind == FormatKind::gguf ? weights : working;
  return {.weights = &weights,
          .embedding = &choose(asked.embedding, table, can_be_weights, "the embedding"),
          .head = &choose(asked.head, table, can_be_weights, "the head"),
          .small = &working,
          .activations = &choose(asked.activations, working, can_be_activations, "activations"),
          .kv = &choose(asked.kv, working, can_be_kv, "the KV cache"),
          .narrowed = wide && asked.weights == kAuto};
}

std::string scheme_name(const PrecisionPlan& plan) {
  const NumberFormat& weights = *plan.weights;
  const NumberFormat& activations = *plan.activations;
  std::string scheme;
  if (&weights == &activations && can_work(weights)) {
    scheme = weights.name;
  } else {
    scheme =
        fmt::format("w{:g}a{:g} ({}", weights.element_bits, activations.element_bits, weights.name);
    if (&weights != &activations && &activations != plan.small) {
      scheme += fmt::format(", {}", activations.name);
    }
    scheme += ")";
  }
  if (plan.kv->element_bits != plan.small->element_bits) {
    scheme += fmt::format(" kv{:g} ({})", plan.kv->element_bits, plan.kv->name);
  }
  return scheme;
}

}  // namespace roofcast
