#include "roofcast/model/op_builder.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/model/kv_cache.hpp"

#include <algorithm>
#include <limits>

namespace roofcast {
namespace {

/// Bytes of one element that passes between kernels, scales included [B].
Bytes element_bytes(const NumberFormat& format) {
  return bytes(effective_bits(format) / 8.0);
}

/// Sum of min(i, window) over i = 1 ... last. Exact in integers below 2^62, so for any step.
std::int64_t pairs_up_to(std::int64_t last, std::int64_t window) {
  const std::int64_t growing = std::min(last, window);
  return growing * (growing + 1) / 2 + (last - growing) * growing;
}

class Builder {
 public:
  Builder(const PrecisionPlan& plan, const PathChoice& paths, const Step& step, OperatorList& out)
      : plan_(plan),
        paths_(paths),
        step_(step),
        out_(out),
        tokens_(static_cast<double>(step.sequences * step.query_tokens)),
        sequences_(static_cast<double>(step.sequences)),
        narrow_(plan.activations->element_bits < 16),
        working_(narrow_ ? *plan.small : *plan.activations),
        stream_(element_bytes(working_)),
        input_(element_bytes(*plan.activations)) {}

  void add(const std::vector<Module>& modules, std::int64_t repeat) {
    const Module* previous = nullptr;
    for (const Module& module : modules) {
      add(module, previous, repeat);
      previous = &module;
    }
  }

 private:
  void add(const Module& module, const Module* previous, std::int64_t repeat) {
    switch (module.kind) {
      case ModuleKind::embedding:
      case ModuleKind::positions:
        return add_gather(module, repeat);
      case ModuleKind::norm:
        return add_norm(module, repeat);
      case ModuleKind::linear:
        return add_linear(module, previous, repeat);
      case ModuleKind::rope_kv:
        return add_rope_kv(module, repeat);
      case ModuleKind::attention:
        return add_attention(module, repeat);
      case ModuleKind::activation:
        return add_activation(module, repeat);
      case ModuleKind::head:
        return add_head(module, repeat);
    }
  }

  Operator& append(std::string_view name, OperatorKind kind, std::int64_t repeat,
                   const NumberFormat& format) {
    Operator& op = out_.emplace_back();
    op.name = name;
    op.kind = kind;
    op.repeat = repeat;
    op.element_bits = format.element_bits;
    return op;
  }

  /// A stream of `elements` per token, reads and writes together.
  Operator& append_stream(const Module& module, std::int64_t repeat, std::int64_t elements) {
    Operator& op = append(module.name, OperatorKind::stream, repeat, working_);
    op.activations = tokens_ * static_cast<double>(elements) * stream_;
    return op;
  }

  static void add_weights(const StorageBytes& stored, Operator& op) {
    op.weights += stored.payload;
    op.scales += stored.overhead;
  }

  void add_bias(const Module& module, std::int64_t length, Operator& op) const {
    if (module.bias)
      add_weights(storage(*plan_.small, 1, length), op);
  }

  void add_gather(const Module& module, std::int64_t repeat) {
    const bool adds = module.kind == ModuleKind::positions;
    Operator& op = append_stream(module, repeat, (adds ? 2 : 1) * module.columns);
    const std::int64_t row = row_bits(plan_.of(module.role), module.columns);
    op.activations += tokens_ * bytes(static_cast<double>(row) / 8.0);
  }

  void add_norm(const Module& module, std::int64_t repeat) {
    const std::int64_t elements =
        module.rows > 0 ? 2 * module.rows * module.columns : 4 * module.columns;
    Operator& op = append_stream(module, repeat, elements);
    if (module.weight)
      add_weights(storage(*plan_.small, 1, module.columns), op);
    add_bias(module, module.columns, op);
  }

  void add_quantise(double vectors, std::int64_t columns, std::int64_t repeat) {
    Operator& op = append("quantise", OperatorKind::quantise, repeat, *plan_.activations);
    op.activations = vectors * static_cast<double>(columns) * (stream_ + input_);
  }

  void add_product(const Module& module, std::int64_t repeat, const NumberFormat& format,
                   double vectors, bool narrow_input) {
    const NumberFormat& operand = narrow_input ? *plan_.activations : working_;
    Operator& op = append(module.name, OperatorKind::gemm, repeat,
                          format.element_bits < operand.element_bits ? format : operand);
    const auto rows = static_cast<double>(module.rows);
    const auto columns = static_cast<double>(module.columns);
    op.work = flops(2.0 * vectors * rows * columns);
    add_weights(storage(format, module.rows, module.columns), op);
    add_bias(module, module.rows, op);
    op.activations = vectors * (columns * (narrow_input ? input_ : stream_) + rows * stream_);
  }

  void add_linear(const Module& module, const Module* previous, std::int64_t repeat) {
    const bool shares_input = previous != nullptr && previous->kind == ModuleKind::linear &&
                              previous->columns == module.columns;
    if (narrow_ && paths_.quantise_activations && !shares_input) {
      add_quantise(tokens_, module.columns, repeat);
    }
    add_product(module, repeat, *plan_.weights, tokens_, narrow_);
    out_.back().path = paths_.gemm;
    out_.back().weight_only = paths_.gemm_weight_only;
  }

  void add_head(const Module& module, std::int64_t repeat) {
    const NumberFormat& format = *plan_.head;
    const bool narrow_input = narrow_ && !paths_.head_weight_only && format.element_bits < 16;
    if (narrow_input && paths_.quantise_activations) {
      add_quantise(sequences_, module.columns, repeat);
    }
    add_product(module, repeat, format, sequences_, narrow_input);
    out_.back().path = paths_.head;
    out_.back().weight_only = paths_.head_weight_only;
  }

  void add_rope_kv(const Module& module, std::int64_t repeat) {
    const AttentionShape& shape = module.attention;
    append_stream(module, repeat, 2 * (shape.heads * shape.key_dim + shape.kv_elements()));
  }

  void add_attention(const Module& module, std::int64_t repeat) {
    const AttentionShape& shape = module.attention;
    const bool prefill = step_.phase == Phase::prefill;
    Operator& op = append(
        module.name, prefill ? OperatorKind::attention_prefill : OperatorKind::attention_decode,
        repeat, *plan_.kv);
    op.path = paths_.attention;
    const std::int64_t window = shape.window.value_or(std::numeric_limits<std::int64_t>::max());
    const std::int64_t earlier = step_.context_tokens - step_.query_tokens;
    const std::int64_t pairs =
        pairs_up_to(step_.context_tokens, window) - pairs_up_to(earlier, window);
    const auto widths = static_cast<double>(shape.heads * (shape.key_dim + shape.value_dim));
    op.work = flops(2.0 * widths * sequences_ * static_cast<double>(pairs));
    const std::int64_t moved = std::min(earlier, window - 1) + std::min(step_.query_tokens, window);
    op.kv = sequences_ * static_cast<double>(moved) * kv_bytes_per_layer_token(shape, *plan_.kv);
    op.activations = tokens_ * widths * stream_;
  }

  void add_activation(const Module& module, std::int64_t repeat) {
    append_stream(module, repeat, (module.gated ? 3 : 2) * module.columns);
  }

  const PrecisionPlan& plan_;
  const PathChoice& paths_;
  const Step& step_;
  OperatorList& out_;
  double tokens_;  ///< new tokens of all sequences
  double sequences_;
  bool narrow_;                  ///< the activations of products are quantised
  const NumberFormat& working_;  ///< of what passes between kernels
  Bytes stream_;                 ///< one element between kernels
  Bytes input_;                  ///< one element of the activations of a product
};

}  // namespace

void build_operators(const Model& model, const PrecisionPlan& plan, const PathChoice& paths,
                     const Step& step, OperatorList& out) {
  ROOFCAST_CHECK(step.sequences >= 1 && step.sequences <= kMaxSequences);
  ROOFCAST_CHECK(step.query_tokens >= 1 && step.query_tokens <= step.context_tokens);
  ROOFCAST_CHECK(step.context_tokens <= kMaxTokens);
  out.clear();
  Builder builder(plan, paths, step, out);
  builder.add(model.before, 1);
  for (const LayerGroup& group : model.groups)
    builder.add(group.modules, group.count);
  builder.add(model.after, 1);
}

}  // namespace roofcast
