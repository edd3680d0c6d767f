#pragma once

#include "roofcast/model/model.hpp"
#include "roofcast/model/number_format.hpp"

#include <cstdint>
#include <optional>

namespace roofcast {

/// Bytes of K and V that one layer keeps for one token [B]: kv_heads rows of key_dim and as many of
/// value_dim, each in whole blocks of the format. docs/model.md Eq. 3.
Bytes kv_bytes_per_layer_token(const AttentionShape& attention, const NumberFormat& format);

/// KV bytes that one further token adds at `context` tokens, over all layers of one sequence
/// [B/token]. Windowed layers that are full add none. docs/model.md Eq. 4.
BytesPerToken kv_bytes_per_token(const Model& model, const NumberFormat& format,
                                 std::int64_t context);

/// Tokens of context from which the cache of a sequence grows no more: the longest window. Absent
/// where a layer has none.
std::optional<std::int64_t> full_context(const Model& model);

/// KV bytes of one sequence of `context` tokens, without block rounding [B]: windowed layers hold
/// min(context, window). docs/model.md Eq. 5.
/// @throws ConfigError  above 2^53 bytes
Bytes kv_bytes(const Model& model, const NumberFormat& format, std::int64_t context);

/// The same, as an engine allocates it in blocks of `block` tokens per layer [B]. block >= 1.
/// @throws ConfigError  above 2^53 bytes
Bytes kv_bytes_allocated(const Model& model, const NumberFormat& format, std::int64_t context,
                         std::int64_t block);

}  // namespace roofcast
