#pragma once

#include <cstdint>

#include "roofcast/model/model.hpp"
#include "roofcast/model/number_format.hpp"

namespace roofcast {

/// Bytes of K and V that one layer keeps for one token [B]: each head's row is stored in whole blocks.
Bytes kv_bytes_per_layer_token(const AttentionShape& attention, const NumberFormat& format);

/// KV bytes that one further token adds at `context` tokens, over all layers of one sequence [B/token].
/// Windowed layers that are full add none.
BytesPerToken kv_bytes_per_token(const Model& model, const NumberFormat& format, std::int64_t context);

/// KV bytes of one sequence of `context` tokens, without block rounding [B]: windowed layers hold
/// min(context, window).
Bytes kv_bytes(const Model& model, const NumberFormat& format, std::int64_t context);

/// The same, as an engine allocates it in blocks of `block` tokens [B]. block >= 1.
Bytes kv_bytes_allocated(const Model& model, const NumberFormat& format, std::int64_t context,
                         std::int64_t block);

}  // namespace roofcast
