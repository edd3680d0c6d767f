#pragma once

#include "roofcast/model/model_card.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace roofcast {

/// Attention of one layer: Q [heads, key_dim], K [kv_heads, key_dim], V [kv_heads, value_dim].
struct AttentionShape {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t key_dim = 0;
  std::int64_t value_dim = 0;
  std::optional<std::int64_t> window;  ///< attends to the last `window` tokens, itself included

  [[nodiscard]] std::int64_t kv_elements() const { return kv_heads * (key_dim + value_dim); }
};

/// Which precision of the plan a module's weights are stored in.
enum class WeightRole {
  none,       ///< no weights
  embedding,  ///< token table
  head,       ///< output projection
  matrix,     ///< linear layers inside the blocks: what `--weights` quantises
  small,      ///< norms, biases, learned positions: stay in the checkpoint's 16-bit format
};

enum class ModuleKind {
  embedding,  ///< gathers rows of a [rows, columns] table
  positions,  ///< adds rows of a learned [rows, columns] table
  norm,       ///< over `columns` features, fused with the residual add before it; with `rows` > 0
              ///< (norms of Q and K): over `rows` vectors that share one weight, without residual
  linear,     ///< y [tokens, rows] = x [tokens, columns] W^T [rows, columns] (+ bias [rows])
  rope_kv,    ///< rotates Q and K where positions are rotary, and appends K and V to the cache
  attention,
  activation,  ///< gated: reads [tokens, 2 columns], writes [tokens, columns]; plain: in place
  head,        ///< linear, over the last token of each sequence only
};

/// One step of the forward pass. The census counts its tensors, the operators cost it: both walk
/// the same list, so they cannot disagree.
struct Module {
  ModuleKind kind;
  std::string_view name;  ///< "qkv", "gate_up"; a string literal of the family
  std::int64_t rows = 0;  ///< outputs (linear), entries (tables), vectors (norms of Q, K); else 0
  std::int64_t columns = 0;  ///< inputs (linear), width (norm, table, activation)
  std::int64_t parts = 1;  ///< matrices fused in one product (qkv: 3, gate_up: 2), for the listing
  bool bias = false;
  bool weight = true;  ///< false: a norm without parameters, a head that is tied to the table
  bool gated = false;  ///< activation
  WeightRole role = WeightRole::none;
  AttentionShape attention{};  ///< attention and rope_kv
};

/// `count` consecutive or interleaved layers that are alike; order among groups carries no meaning.
struct LayerGroup {
  std::int64_t count = 0;
  std::vector<Module> modules;
};

/// A model as the rest of roofcast sees it: the card and its forward pass.
struct Model {
  ModelCard card;
  std::vector<Module> before;  ///< embedding, positions, embedding norm
  std::vector<LayerGroup> groups;
  std::vector<Module> after;  ///< final norm, head
};

/// Limits that every reader enforces, far above any real model: no product of shapes overflows.
inline constexpr std::int64_t kMaxLayers = 10'000;
inline constexpr std::int64_t kMaxWidth = 16'777'216;      // 2^24: hidden, heads, vocabulary, FFN
inline constexpr std::int64_t kMaxTokens = 1'073'741'824;  // 2^30: context, prompt, window
inline constexpr std::int64_t kMaxSequences = 16'777'216;  // 2^24: batch
inline constexpr double kMaxExact = 9007199254740992.0;    // 2^53: bytes and parameters

}  // namespace roofcast
