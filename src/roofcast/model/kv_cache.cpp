#include "roofcast/model/kv_cache.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/model/exact.hpp"

#include <algorithm>

namespace roofcast {
namespace {

using exact::ceil_div;
using exact::Wide;
using exact::wide;

Wide layer_token_bytes(const AttentionShape& attention, const NumberFormat& format) {
  const std::int64_t bits =
      row_bits(format, attention.key_dim) + row_bits(format, attention.value_dim);
  return exact::bits_to_bytes(wide(attention.kv_heads) * wide(bits));
}

/// Sum over all layers of bytes per token times the tokens that `held` finds for the layer.
template <class Held>
Wide sum_layers(const Model& model, const NumberFormat& format, Held held) {
  Wide sum = 0;
  for (const LayerGroup& group : model.groups) {
    for (const Module& module : group.modules) {
      if (module.kind != ModuleKind::attention)
        continue;
      sum +=
          wide(group.count) * layer_token_bytes(module.attention, format) * held(module.attention);
    }
  }
  return sum;
}

std::int64_t tokens_held(const AttentionShape& attention, std::int64_t context) {
  return attention.window ? std::min(context, *attention.window) : context;
}

}  // namespace

Bytes kv_bytes_per_layer_token(const AttentionShape& attention, const NumberFormat& format) {
  return exact::to_bytes(layer_token_bytes(attention, format), "the KV cache of a token");
}

BytesPerToken kv_bytes_per_token(const Model& model, const NumberFormat& format,
                                 std::int64_t context) {
  const Wide sum = sum_layers(model, format, [&](const AttentionShape& attention) {
    return wide(attention.window && context >= *attention.window ? 0 : 1);
  });
  return exact::to_bytes(sum, "the KV cache of a token") / tokens(1.0);
}

std::optional<std::int64_t> full_context(const Model& model) {
  std::int64_t longest = 0;
  for (const LayerGroup& group : model.groups) {
    for (const Module& module : group.modules) {
      if (module.kind != ModuleKind::attention)
        continue;
      if (!module.attention.window)
        return std::nullopt;
      longest = std::max(longest, *module.attention.window);
    }
  }
  return longest;
}

Bytes kv_bytes(const Model& model, const NumberFormat& format, std::int64_t context) {
  ROOFCAST_CHECK(context >= 0);
  const Wide sum = sum_layers(model, format, [&](const AttentionShape& attention) {
    return wide(tokens_held(attention, context));
  });
  return exact::to_bytes(sum, "the KV cache of a sequence");
}

Bytes kv_bytes_allocated(const Model& model, const NumberFormat& format, std::int64_t context,
                         std::int64_t block) {
  ROOFCAST_CHECK(context >= 0 && block >= 1);
  const Wide sum = sum_layers(model, format, [&](const AttentionShape& attention) {
    return ceil_div(wide(tokens_held(attention, context)), block) * wide(block);
  });
  return exact::to_bytes(sum, "the KV cache of a sequence");
}

}  // namespace roofcast
