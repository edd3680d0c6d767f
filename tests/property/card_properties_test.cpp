#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/op_builder.hpp"
#include "roofcast/model/parameter_count.hpp"

#include <string>
#include <vector>

#include "support/near.hpp"
#include "support/operators.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::StepTotals;

namespace {

StepTotals totals_of(const Model& model, const PrecisionPlan& plan, const Step& step) {
  return test::totals(test::operators_of(model, plan, step));
}

/// Parameters that a decode step only gathers rows of.
Bytes gathered_tables(const Model& model, const PrecisionPlan& plan) {
  Bytes sum{};
  for (const Module& module : model.before) {
    if (module.kind == ModuleKind::positions ||
        (module.kind == ModuleKind::embedding && !model.card.tied_embeddings)) {
      sum += storage(plan.of(module.role), module.rows, module.columns).total();
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("property: every card: the census has the published parameters") {
  const std::vector<Model> models = Catalogue().all_models();
  CHECK(models.size() >= 40);
  for (const Model& model : models) {
    CAPTURE(model.card.name);
    CHECK(count_parameters(model).total == model.card.parameters);
    CHECK(count_parameters(model).active == model.card.parameters);
  }
}

TEST_CASE("property: every card: weights of a decode step plus gathered tables are the weights") {
  const std::vector<PrecisionRequest> requests = {{},
                                                  {.weights = "fp32"},
                                                  {.weights = "int8", .embedding = "int8"},
                                                  {.weights = "nvfp4", .activations = "fp8"},
                                                  {.weights = "awq", .kv = "fp8"},
                                                  {.weights = "nf4_dq", .head = "q6_k"}};
  for (const Model& model : Catalogue().all_models()) {
    for (PrecisionRequest request : requests) {
      if (model.card.tied_embeddings)
        request.head = request.embedding;
      const PrecisionPlan plan = plan_precision(model.card, request);
      CAPTURE(model.card.name);
      CAPTURE(scheme_name(plan));
      CHECK(totals_of(model, plan, decode_step(1, 100)).weights + gathered_tables(model, plan) ==
            weight_bytes(model, plan).total());
    }
  }
}

TEST_CASE("property: every card: products of a decode step are 2 FLOP per parameter they read") {
  // At one token a product does 2 FLOP per weight: with 16-bit weights its FLOP are its bytes,
  // biases and norms left out.
  for (const Model& model : Catalogue().all_models()) {
    const PrecisionPlan plan = plan_precision(model.card, {.weights = "fp16"});
    Bytes vectors{};
    for (const WeightTensor& tensor : weight_tensors(model)) {
      if (tensor.vector)
        vectors += bytes(2.0 * static_cast<double>(tensor.parameters()));
    }
    CAPTURE(model.card.name);
    const StepTotals sum = totals_of(model, plan, decode_step(1, 100));
    CHECK(sum.products / flops(1.0) == (sum.weights - vectors) / bytes(1.0));
  }
}

TEST_CASE("property: every card: attention moves what the cache holds") {
  for (const Model& model : Catalogue().all_models()) {
    const PrecisionPlan plan = plan_precision(model.card, {.kv = "q8_0"});
    CAPTURE(model.card.name);
    for (const std::int64_t context : {std::int64_t{1}, std::int64_t{777}, model.card.context}) {
      CHECK(totals_of(model, plan, decode_step(3, context)).kv ==
            3.0 * kv_bytes(model, *plan.kv, context));
    }
  }
}
