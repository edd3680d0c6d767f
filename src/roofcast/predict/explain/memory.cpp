// KV cache, state, activations, engine and their total: docs/model.md Eq. 3 to 7 and 22.
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/predict/explain/draft.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/format_precise.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace roofcast::explaining {
namespace {

constexpr int kGrowth = 4;
constexpr int kCache = 5;
constexpr int kActivations = 6;
constexpr int kEngine = 7;
constexpr int kTotal = 22;

/// The attention of each group of like layers.
struct AttentionGroup {
  std::int64_t layers;
  const AttentionShape& shape;
};

std::vector<AttentionGroup> attention_groups(const Model& model) {
  std::vector<AttentionGroup> groups;
  for (const LayerGroup& group : model.groups) {
    for (const Module& module : group.modules) {
      if (module.kind == ModuleKind::attention)
        groups.push_back({group.count, module.attention});
    }
  }
  return groups;
}

void add_layer_symbols(const Subject& subject, Draft& draft) {
  draft.symbol("n", "layers with this attention", "in each line", subject.card_source())
      .symbol("κ",
              "bytes of K and V that one layer keeps per token, Eq. 3: G · (h_k + h_v) · bits / 8",
              "in each line", fmt::format("{}, {}", subject.card_source(), subject.plan.kv->name));
}

Explanation explain_growth(const Subject& subject) {
  const std::int64_t context = subject.workload.prompt + subject.workload.output;
  Draft draft(kGrowth, "KV cache that one further token adds", "κ(t) = Σ n · κ · [t < w]");
  add_layer_symbols(subject, draft);
  draft.symbol("t", "tokens of context", format_count(context), std::string(kAsked))
      .symbol("w", "window of the layer; none: unbounded", "in each line", subject.card_source());
  std::vector<std::string> parts;
  for (const auto& [layers, shape] : attention_groups(subject.model)) {
    const Bytes layer = kv_bytes_per_layer_token(shape, *subject.plan.kv);
    const bool full = shape.window && context >= *shape.window;
    const Bytes adds = full ? Bytes{} : static_cast<double>(layers) * layer;
    parts.push_back(format_precise(BytesPerToken(adds / tokens(1.0))));
    draft.line(fmt::format(
        "{} layers × {}, {} KV heads × ({} + {}) of {}{}: {}", layers, format_precise(layer),
        shape.kv_heads, shape.key_dim, shape.value_dim, subject.plan.kv->name,
        full ? fmt::format(", window of {} full", format_count(*shape.window)) : "", parts.back()));
  }
  return draft.line(sum(parts)).is(subject.forecast.memory.kv_per_token);
}

Explanation explain_cache(const Subject& subject) {
  const std::int64_t context = subject.workload.prompt + subject.workload.output;
  const std::int64_t block = subject.request.kv_block;
  Draft draft(kCache, "KV cache as allocated", "K = b · Σ n · κ · ceil(min(t, w) / k) · k");
  draft.symbol("b", "batch", format_count(subject.workload.batch), std::string(kAsked));
  add_layer_symbols(subject, draft);
  draft
      .symbol("t", "tokens of context: prompt + output", format_count(context), std::string(kAsked))
      .symbol("w", "window of the layer; none: unbounded", "in each line", subject.card_source())
      .symbol("k", "tokens of a KV block", format_count(block), std::string(kAsked));
  std::vector<std::string> parts;
  for (const auto& [layers, shape] : attention_groups(subject.model)) {
    const std::int64_t held = shape.window ? std::min(context, *shape.window) : context;
    const std::int64_t rounded = (held + block - 1) / block * block;
    const Bytes layer = kv_bytes_per_layer_token(shape, *subject.plan.kv);
    parts.push_back(fmt::format("{} × {} × {} × {}", format_count(subject.workload.batch), layers,
                                format_precise(layer), format_count(rounded)));
    draft.line(fmt::format("{} layers hold {} tokens, {} in whole blocks of {}", layers,
                           format_count(held), format_count(rounded), block));
  }
  return draft.line(sum(parts)).is(subject.forecast.memory.kv_cache);
}

Explanation explain_state(const Subject& subject) {
  return Draft(kTotal, "recurrent state", "S = 0")
      .symbol("S", "state of layers that keep no keys and values; this family has none", "0 B",
              subject.card_source())
      .line("0 B")
      .is(subject.forecast.memory.state);
}

Explanation explain_no_activations(const Subject& subject) {
  return Draft(kActivations, "activations", "A = 0")
      .symbol("A", "what lives between kernels; this runtime counts none", "0 B",
              subject.runtime_source())
      .line("0 B")
      .is(subject.forecast.memory.activations);
}

Explanation explain_activations(const Subject& subject) {
  const Runtime& runtime = subject.runtime;
  if (runtime.sizing == StepSizing::none)
    return explain_no_activations(subject);
  const EngineLimits& limits = engine_limits(runtime, &subject.profile);
  const ActivationStep step =
      activation_step(runtime, limits, subject.workload.batch, subject.workload.prompt);
  const std::string live =
      format_count(static_cast<std::int64_t>(widest_live_elements(subject.model, runtime)));
  const double element =
      std::max(runtime.element_bytes, effective_bits(*subject.plan.activations) / 8);
  const std::string tokens = format_count(step.tokens);
  const std::string hidden = format_count(subject.model.card.hidden);
  const std::string layer = fmt::format("{} × ({} + {} × {}) × {} B", tokens, live,
                                        runtime.hidden_copies, hidden, element);
  const std::string logits =
      fmt::format("{} × {} × {} B", format_count(step.logit_rows),
                  format_count(subject.model.card.vocabulary), runtime.logit_bytes);
  const std::string fixed = format_precise(runtime.fixed_activations);
  Draft draft(kActivations, "activations, at the widest moment of a step",
              runtime.logits_stay
                  ? "A = T · (I* + c_d · d) · p_a + S · V · q + A_0"
                  : "A = max(T · (I* + c_d · d) · p_a, S · V · q + T · d · p_a) + A_0");
  draft.symbol("T", "tokens of the largest step", tokens, subject.runtime_source())
      .symbol("I*", "widest set of projections that live at once, per token", live,
              subject.card_source())
      .symbol("c_d", "rows of the hidden width beside them", format_precise(runtime.hidden_copies),
              subject.runtime_source())
      .symbol("d", "hidden width", hidden, subject.card_source())
      .symbol("p_a", "bytes of an element", format_precise(element), subject.runtime_source())
      .symbol("S", "rows whose logits live at once", format_count(step.logit_rows),
              subject.runtime_source())
      .symbol("V", "vocabulary", format_count(subject.model.card.vocabulary), subject.card_source())
      .symbol("q", "bytes of all copies of one logit", format_precise(runtime.logit_bytes),
              subject.runtime_source())
      .symbol("A_0", "what does not scale", fixed, subject.runtime_source());
  draft.line(std::string(runtime.source));
  if (runtime.logits_stay)
    draft.line(fmt::format("{} + {} + {}", layer, logits, fixed));
  else
    draft.line(fmt::format("max({}, {} + {} × {} × {} B) + {}", layer, logits, tokens, hidden,
                           element, fixed));
  return draft.is(subject.forecast.memory.activations);
}

Explanation explain_engine(const Subject& subject) {
  const Runtime& runtime = subject.runtime;
  const EngineLimits& limits = engine_limits(runtime, &subject.profile);
  return Draft(kEngine, "the engine itself", "R = R_context + R_graphs")
      .symbol("R_context", "what the driver keeps, context and libraries",
              format_precise(runtime.device_context), subject.runtime_source())
      .symbol("R_graphs", "captured graphs that count against the memory fraction",
              format_precise(limits.graphs), subject.runtime_source())
      .line(sum({format_precise(runtime.device_context), format_precise(limits.graphs)}))
      .is(subject.forecast.memory.runtime);
}

Explanation explain_sum(const Subject& subject) {
  const MemoryForecast& memory = subject.forecast.memory;
  return Draft(kTotal, "memory of the device", "M = W + K + S + A + R")
      .symbol("W", "weights", format_binary(memory.weights), "Eq. 2")
      .symbol("K", "KV cache", format_binary(memory.kv_cache), "Eq. 5")
      .symbol("S", "recurrent state", format_binary(memory.state), "the family")
      .symbol("A", "activations", format_binary(memory.activations), "Eq. 6")
      .symbol("R", "the engine itself", format_binary(memory.runtime), "Eq. 7")
      .line(sum({format_precise(memory.weights), format_precise(memory.kv_cache),
                 format_precise(memory.state), format_precise(memory.activations),
                 format_precise(memory.runtime)}))
      .is(memory.total);
}

constexpr std::array kEntries = {Entry{"memory.kv_bytes_per_token", explain_growth},
                                 Entry{"memory.kv_cache_bytes", explain_cache},
                                 Entry{"memory.state_bytes", explain_state},
                                 Entry{"memory.activation_bytes", explain_activations},
                                 Entry{"memory.runtime_bytes", explain_engine},
                                 Entry{"memory.total_bytes", explain_sum}};

}  // namespace

std::span<const Entry> memory_entries() {
  return kEntries;
}

}  // namespace roofcast::explaining
