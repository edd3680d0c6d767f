#pragma once

#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace roofcast {

/// One kind of weight tensor of a model: `copies` tensors of [rows, columns].
struct WeightTensor {
  std::string_view name;  ///< the module's name
  std::int64_t rows = 1;  ///< 1 for vectors
  std::int64_t columns = 0;
  std::int64_t copies = 1;
  WeightRole role = WeightRole::none;
  bool vector = false;  ///< norm weight or bias

  [[nodiscard]] std::int64_t parameters() const { return rows * columns * copies; }
};

/// Every weight tensor, from the same module list that the operators are built from. A product of
/// several matrices (qkv) is one tensor, a tied head is none.
std::vector<WeightTensor> weight_tensors(const Model& model);

struct ParameterCount {
  std::int64_t total = 0;
  std::int64_t active = 0;     ///< used per token; equals total for dense models
  std::int64_t embedding = 0;  ///< token table (once, also when the head is tied to it)
};

/// Exact parameter census; docs/model.md Eq. 1.
/// @throws ConfigError  at 2^53 parameters or more
ParameterCount count_parameters(const Model& model);

/// Exact bytes of all weights under a plan [B]; docs/model.md Eq. 2.
/// @throws ConfigError  above 2^53 bytes
StorageBytes weight_bytes(const Model& model, const PrecisionPlan& plan);

}  // namespace roofcast
