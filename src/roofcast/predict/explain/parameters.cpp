// Parameters and weight bytes: docs/model.md Eq. 1 and 2.
#include "roofcast/model/parameter_count.hpp"
#include "roofcast/predict/explain/draft.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/format_precise.hpp"

#include <array>

#include <fmt/format.h>

namespace roofcast::explaining {
namespace {

constexpr int kCensus = 1;
constexpr int kWeights = 2;

std::string shape(const WeightTensor& tensor) {
  if (tensor.vector)
    return format_count(tensor.columns);
  return fmt::format("{} × {}", format_count(tensor.rows), format_count(tensor.columns));
}

void add_shape_symbols(const Subject& subject, Draft& draft) {
  draft
      .symbol("n", "copies of a tensor: layers that have it", "in each line", subject.card_source())
      .symbol("r × c", "its rows and columns; a norm or bias is one row", "in each line",
              subject.card_source());
}

Explanation explain_total(const Subject& subject) {
  Draft draft(kCensus, "parameters", "N = Σ n · r · c");
  add_shape_symbols(subject, draft);
  std::vector<std::string> parts;
  for (const WeightTensor& tensor : weight_tensors(subject.model)) {
    parts.push_back(format_count(tensor.parameters()));
    draft.line(fmt::format("{}: {} × {} = {}", tensor.name, format_count(tensor.copies),
                           shape(tensor), parts.back()));
  }
  return draft.line(sum(parts)).is(subject.forecast.parameters.total);
}

Explanation explain_active(const Subject& subject) {
  const ParameterCount& count = subject.forecast.parameters;
  return Draft(kCensus, "parameters that one token uses", "N_active = N")
      .symbol("N", "parameters; a dense model uses all of them for every token",
              format_count(count.total), "Eq. 1")
      .line(format_count(count.total))
      .is(count.active);
}

Explanation explain_embedding(const Subject& subject) {
  Draft draft(kCensus, "parameters of the token table", "N_emb = V · d");
  draft
      .symbol("V", "rows of the table as stored", format_count(subject.model.card.vocabulary),
              subject.card_source())
      .symbol("d", "its width", "in the line", subject.card_source());
  std::vector<std::string> parts;
  for (const WeightTensor& tensor : weight_tensors(subject.model)) {
    if (tensor.role == WeightRole::embedding)
      parts.push_back(shape(tensor));
  }
  return draft.line(sum(parts)).is(subject.forecast.parameters.embedding);
}

/// One line per tensor, of its payload and scales or of the scales alone.
Explanation explain_storage(const Subject& subject, Draft& draft, bool scales_alone) {
  std::vector<std::string> parts;
  for (const WeightTensor& tensor : weight_tensors(subject.model)) {
    const NumberFormat& format = subject.plan.of(tensor.role);
    const StorageBytes one = storage(format, tensor.rows, tensor.columns);
    const Bytes size = scales_alone ? one.overhead : one.total();
    if (size == Bytes{})
      continue;
    const Bytes all = static_cast<double>(tensor.copies) * size;
    parts.push_back(format_precise(all));
    draft.line(fmt::format("{}, {} {}: {} × {} = {}", tensor.name, shape(tensor), format.name,
                           format_count(tensor.copies), format_precise(size), parts.back()));
  }
  if (parts.empty())
    parts.push_back(format_precise(Bytes{}));
  const MemoryForecast& memory = subject.forecast.memory;
  return draft.line(sum(parts)).is(scales_alone ? memory.weight_scales : memory.weights);
}

Explanation explain_weights(const Subject& subject) {
  Draft draft(kWeights, "weights", "W = Σ n · bytes(format, r, c)");
  add_shape_symbols(subject, draft);
  draft.symbol("bytes", "storage of a tensor in its format, scales included, to the byte",
               "in each line", "table of number formats");
  return explain_storage(subject, draft, false);
}

Explanation explain_scales(const Subject& subject) {
  Draft draft(kWeights, "scales and zero points among the weights",
              "W_s = Σ n · scales(format, r, c)");
  add_shape_symbols(subject, draft);
  draft.symbol("scales", "what a format stores beside the elements of a tensor", "in each line",
               "table of number formats");
  return explain_storage(subject, draft, true);
}

constexpr std::array kEntries = {Entry{"model.parameters.total", explain_total},
                                 Entry{"model.parameters.active", explain_active},
                                 Entry{"model.parameters.embedding", explain_embedding},
                                 Entry{"memory.weights_bytes", explain_weights},
                                 Entry{"memory.weight_scale_bytes", explain_scales}};

}  // namespace

std::span<const Entry> parameter_entries() {
  return kEntries;
}

}  // namespace roofcast::explaining
