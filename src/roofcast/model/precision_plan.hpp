#pragma once

#include "roofcast/model/model.hpp"
#include "roofcast/model/number_format.hpp"

#include <string>

namespace roofcast {

/// The format of each kind of tensor. Weights, activations and KV cache are chosen apart. Pointers
/// into the table of number formats, never null.
struct PrecisionPlan {
  const NumberFormat* weights = nullptr;  ///< linear layers inside the blocks
  const NumberFormat* embedding = nullptr;
  const NumberFormat* head =
      nullptr;  ///< the same as `embedding` where the head is tied to the table
  const NumberFormat* small = nullptr;  ///< norms, biases; also what passes between kernels when
                                        ///< the activations of products are narrower
  const NumberFormat* activations = nullptr;
  const NumberFormat* kv = nullptr;
  bool narrowed = false;  ///< `auto` took weights in FP16 that were published wider

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

/// auto weights: the checkpoint's format, and FP16 for a checkpoint in more than 16 bits, as
/// engines serve it. The rest follows the working format: the weights' where that is a float of 16
/// bits or more, else the checkpoint's (FP16 for wider ones) where that is one, else BF16. So a
/// narrower `weights` alone is weight-only, and `weights` in FP32, asked for, makes all products
/// FP32 ones. With GGUF `weights`, auto embedding and head have the same type, since llama.cpp
/// quantises token_embd and output too; norms and biases, which GGUF files keep in FP32, are
/// counted in the working format. A head that is tied to the embedding has its format.
/// @source  vLLM, ModelConfig.dtype: auto is FP16 for FP32 and FP16 models, BF16 for BF16 models;
///          llama.cpp src/llama-quant.cpp
/// @throws UsageError   unknown format, or one that cannot serve there (a GGUF type as activations)
/// @throws ConfigError  two formats for one table: a tied head that differs from the embedding
PrecisionPlan plan_precision(const ModelCard& card, const PrecisionRequest& request);

/// The short name that people use: "fp16" where everything is, "w4a16 (int4_g128)", "w8a8 (int8)",
/// "w8a8 (fp8_e4m3) kv8 (fp8_e4m3)". The KV cache is named where it is not as wide as the working
/// format.
std::string scheme_name(const PrecisionPlan& plan);

}  // namespace roofcast
