#pragma once

#include <string>

#include "roofcast/model/model.hpp"
#include "roofcast/model/number_format.hpp"

namespace roofcast {

/// The format of each kind of tensor. Weights, activations and KV cache are chosen apart. Pointers into
/// the table of number formats, never null.
struct PrecisionPlan {
  const NumberFormat* weights = nullptr;      ///< linear layers inside the blocks
  const NumberFormat* embedding = nullptr;
  const NumberFormat* head = nullptr;
  const NumberFormat* small = nullptr;        ///< norms, biases
  const NumberFormat* activations = nullptr;
  const NumberFormat* kv = nullptr;

  [[nodiscard]] const NumberFormat& of(WeightRole role) const;
};

/// Names as a user gives them; "auto" everywhere by default.
struct PrecisionRequest {
  std::string weights = "auto";
  std::string activations = "auto";
  std::string kv = "auto";
  std::string embedding = "auto";
  std::string head = "auto";
};

/// auto weights: the checkpoint's format. auto activations, KV, embedding, head: the checkpoint's
/// format where that is 16 or 32 bits wide, else BF16; so a narrower `weights` alone is weight-only.
/// @throws UsageError  unknown format, or one that cannot serve there (a GGUF type as activations)
PrecisionPlan plan_precision(const ModelCard& card, const PrecisionRequest& request);

/// "fp16", "w4a16 (int4_g128)", "w8a8 kv8": the short name that people use.
std::string scheme_name(const PrecisionPlan& plan);

}  // namespace roofcast
