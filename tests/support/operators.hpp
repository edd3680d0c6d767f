#pragma once

#include "roofcast/model/op_builder.hpp"

#include <algorithm>
#include <string_view>

#include <doctest/doctest.h>

/// The operators of a step as tests look at them.
namespace roofcast::test {

inline OperatorList operators_of(const Model& model, const PrecisionPlan& plan, const Step& step,
                                 const PathChoice& paths = {}) {
  OperatorList list;
  build_operators(model, plan, paths, step, list);
  return list;
}

inline OperatorList operators_of(const Model& model, const Step& step,
                                 const PrecisionRequest& request = {},
                                 const PathChoice& paths = {}) {
  return operators_of(model, plan_precision(model.card, request), step, paths);
}

/// Sums over a step, every operator as often as it runs.
struct StepTotals {
  Flops work{};
  Flops products{};  ///< work of linear layers and head alone
  Bytes weights{};   ///< with their scales
  Bytes kv{};
  Bytes activations{};

  [[nodiscard]] Bytes bytes() const { return weights + kv; }
};

inline StepTotals totals(const OperatorList& list) {
  StepTotals sum;
  for (const Operator& op : list) {
    const auto runs = static_cast<double>(op.repeat);
    sum.work += runs * op.work;
    if (op.kind == OperatorKind::gemm)
      sum.products += runs * op.work;
    sum.weights += runs * (op.weights + op.scales);
    sum.kv += runs * op.kv;
    sum.activations += runs * op.activations;
  }
  return sum;
}

/// The first operator of that name, which must be there.
inline const Operator& find(const OperatorList& list, std::string_view name) {
  const auto at =
      std::find_if(list.begin(), list.end(), [&](const Operator& op) { return op.name == name; });
  REQUIRE(at != list.end());
  return *at;
}

inline std::int64_t count(const OperatorList& list, OperatorKind kind) {
  return std::count_if(list.begin(), list.end(),
                       [&](const Operator& op) { return op.kind == kind; });
}

}  // namespace roofcast::test
