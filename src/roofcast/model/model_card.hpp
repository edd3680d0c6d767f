#pragma once

#include "roofcast/units/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofcast {

/// What a card file says, and nothing more: the facts of one published model. Families
/// (model/arch/<family>.cpp) turn it into a `Model`. A key that is absent keeps the family's rule.
struct ModelCard {
  std::string name;
  std::vector<std::string> aliases;
  std::string family;
  std::int64_t vocabulary = 0;  ///< rows of the embedding table as stored, padding included
  std::int64_t hidden = 0;
  std::int64_t layers = 0;

  struct Attention {
    std::int64_t heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;              ///< explicit; never derived from hidden / heads
    std::optional<std::int64_t> value_dim;  ///< where V is not as wide as K
    std::optional<std::int64_t> window;     ///< sliding window [tokens]
    /// Of every `full_every` layers the last is full, the others windowed (Gemma 3: 6); absent: the
    /// family's own rhythm, else all are windowed.
    std::optional<std::int64_t> full_every;
    std::optional<bool> bias;     ///< overrides the family: q, k, v (and o where it has one)
    std::optional<bool> qk_norm;  ///< overrides the family: norms of Q and K (Command R+)
  } attention;

  struct FeedForward {
    bool gated = true;
    std::int64_t intermediate = 0;
    std::optional<bool> bias;
  } feed_forward;

  std::optional<std::int64_t> position_rows;  ///< learned positions: rows of that table as stored
  std::optional<std::int64_t> embedding_dim;  ///< where the table is narrower than hidden
  bool tied_embeddings = false;
  std::int64_t context = 0;     ///< positions it was made for [tokens]
  std::string weights;          ///< format of the published checkpoint: "fp16", "bf16"
  std::int64_t parameters = 0;  ///< published total; the census must reproduce it
  /// To check against: K and V in 16 bits, no window full.
  std::optional<std::int64_t> kv_bytes_per_token;
  std::string source;
};

}  // namespace roofcast
