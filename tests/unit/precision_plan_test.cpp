#include "roofcast/model/precision_plan.hpp"

#include "roofcast/base/error.hpp"

#include <string>

#include "support/cards.hpp"
#include <doctest/doctest.h>

using namespace roofcast;

namespace {

PrecisionPlan plan_for(const ModelCard& card, const PrecisionRequest& request = {}) {
  return plan_precision(card, request);
}

std::string scheme(const PrecisionRequest& request) {
  return scheme_name(plan_for(test::llama_2_7b_card(), request));
}

/// "weights embedding head small activations kv"
std::string names(const PrecisionPlan& plan) {
  std::string all;
  for (const NumberFormat* format :
       {plan.weights, plan.embedding, plan.head, plan.small, plan.activations, plan.kv}) {
    all.append(all.empty() ? "" : " ").append(format->name);
  }
  return all;
}

template <class Error>
std::string message_of(const ModelCard& card, const PrecisionRequest& request) {
  try {
    plan_precision(card, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("precision plan: auto is the checkpoint's format everywhere") {
  CHECK(names(plan_for(test::llama_2_7b_card())) == "fp16 fp16 fp16 fp16 fp16 fp16");
  CHECK(names(plan_for(test::llama_3_1_8b_card())) == "bf16 bf16 bf16 bf16 bf16 bf16");
}

// vLLM's `dtype auto`: "FP16 precision for FP32 and FP16 models, BF16 precision for BF16 models".
TEST_CASE("precision plan: a checkpoint in FP32 is served in FP16 unless FP32 is asked for") {
  const ModelCard card = test::gpt2_card();
  CHECK(names(plan_for(card)) == "fp16 fp16 fp16 fp16 fp16 fp16");
  CHECK(plan_for(card).narrowed);
  CHECK(names(plan_for(card, {.weights = "fp32"})) == "fp32 fp32 fp32 fp32 fp32 fp32");
  CHECK(names(plan_for(card, {.weights = "int4_g128"})) == "int4_g128 fp16 fp16 fp16 fp16 fp16");
  CHECK(names(plan_for(card, {.activations = "fp32"})) == "fp16 fp16 fp16 fp16 fp32 fp16");
  for (const std::string weights : {"fp32", "fp16", "bf16", "int4_g128"}) {
    CAPTURE(weights);
    CHECK_FALSE(plan_for(card, {.weights = weights}).narrowed);
  }
  CHECK_FALSE(plan_for(test::llama_3_1_8b_card()).narrowed);
}

// llama.cpp quantises token_embd.weight and output.weight with the blocks: an 8B file in Q4_K_S has
// 4.67 bits per parameter, which leaves no room for two tables of 0.53 G parameters in 16 bits.
TEST_CASE("precision plan: GGUF weights take the table and the head with them") {
  const ModelCard card = test::llama_2_7b_card();
  CHECK(names(plan_for(card, {.weights = "q4_k"})) == "q4_k q4_k q4_k fp16 fp16 fp16");
  CHECK(names(plan_for(card, {.weights = "q4_k", .head = "q6_k"})) ==
        "q4_k q4_k q6_k fp16 fp16 fp16");
  CHECK(names(plan_for(card, {.weights = "q4_k", .embedding = "fp16"})) ==
        "q4_k fp16 q4_k fp16 fp16 fp16");
  CHECK(names(plan_for(test::qwen3_0_6b_card(), {.weights = "q8_0"})) ==
        "q8_0 q8_0 q8_0 bf16 bf16 bf16");
}

TEST_CASE("precision plan: narrower weights alone are weight-only") {
  const ModelCard card = test::llama_2_7b_card();
  CHECK(names(plan_for(card, {.weights = "int8"})) == "int8 fp16 fp16 fp16 fp16 fp16");
  CHECK(names(plan_for(card, {.weights = "awq"})) == "int4_g128_zp fp16 fp16 fp16 fp16 fp16");
}

TEST_CASE("precision plan: weights of 16 bits or more take the rest with them") {
  CHECK(names(plan_for(test::gpt2_card(), {.weights = "fp16"})) == "fp16 fp16 fp16 fp16 fp16 fp16");
  CHECK(names(plan_for(test::llama_2_7b_card(), {.weights = "bf16"})) ==
        "bf16 bf16 bf16 bf16 bf16 bf16");
  CHECK(names(plan_for(test::llama_2_7b_card(), {.weights = "fp32"})) ==
        "fp32 fp32 fp32 fp32 fp32 fp32");
}

TEST_CASE("precision plan: a quantised checkpoint works in BF16") {
  ModelCard card = test::llama_3_1_8b_card();
  card.weights = "fp8_block128";
  CHECK(names(plan_for(card)) == "fp8_block128 bf16 bf16 bf16 bf16 bf16");
}

TEST_CASE("precision plan: weights, activations and KV cache are chosen apart") {
  const ModelCard card = test::llama_2_7b_card();
  CHECK(names(plan_for(card, {.kv = "fp8"})) == "fp16 fp16 fp16 fp16 fp16 fp8_e4m3");
  CHECK(names(plan_for(card, {.activations = "int8"})) == "fp16 fp16 fp16 fp16 int8 fp16");
  CHECK(names(plan_for(card, {.weights = "fp8", .activations = "fp8", .kv = "q8_0"})) ==
        "fp8_e4m3 fp16 fp16 fp16 fp8_e4m3 q8_0");
  CHECK(names(plan_for(card, {.embedding = "int8", .head = "q6_k"})) ==
        "fp16 int8 q6_k fp16 fp16 fp16");
}

TEST_CASE("precision plan: each role of weights has its format") {
  const PrecisionPlan plan =
      plan_for(test::llama_2_7b_card(), {.weights = "int4", .embedding = "int8", .head = "fp8"});
  CHECK(plan.of(WeightRole::matrix).name == "int4");
  CHECK(plan.of(WeightRole::embedding).name == "int8");
  CHECK(plan.of(WeightRole::head).name == "fp8_e4m3");
  CHECK(plan.of(WeightRole::small).name == "fp16");
  CHECK_THROWS_AS(static_cast<void>(plan.of(WeightRole::none)), InternalError);
}

TEST_CASE("precision plan: a tied head has the format of the one table") {
  const ModelCard card = test::qwen3_0_6b_card();
  CHECK(names(plan_for(card, {.embedding = "int8"})) == "bf16 int8 int8 bf16 bf16 bf16");
  CHECK(names(plan_for(card, {.head = "int8"})) == "bf16 int8 int8 bf16 bf16 bf16");
  CHECK(names(plan_for(card, {.embedding = "e4m3", .head = "fp8"})) ==
        "bf16 fp8_e4m3 fp8_e4m3 bf16 bf16 bf16");
  CHECK(message_of<ConfigError>(card, {.embedding = "int8", .head = "fp8"}) ==
        "the head is tied to the embedding, one table for both: it cannot be 'int8' and 'fp8' at "
        "once");
}

TEST_CASE("precision plan: formats that cannot serve are refused") {
  const ModelCard card = test::llama_2_7b_card();
  CHECK(message_of<UsageError>(card, {.activations = "q8_0"}) ==
        "'q8_0' cannot be the format of activations: no hardware multiplies it as it is");
  CHECK(message_of<UsageError>(card, {.activations = "nf4"}) ==
        "'nf4' cannot be the format of activations: no hardware multiplies it as it is");
  CHECK(message_of<UsageError>(card, {.activations = "fp8_block128"}) ==
        "'fp8_block128' cannot be the format of activations");
  CHECK(message_of<UsageError>(card, {.kv = "gptq"}) ==
        "'int4_g128_zp' cannot be the format of the KV cache: no hardware multiplies it as it is");
  CHECK(message_of<UsageError>(card, {.weights = "int32"}) ==
        "'int32' cannot be the format of weights: no hardware multiplies it as it is");
  CHECK(message_of<UsageError>(card, {.weights = "fp17"}).find("unknown number format 'fp17'") ==
        0);
  CHECK(message_of<UsageError>(card, {.kv = "q4_k_m"}).find("names GGUF files") !=
        std::string::npos);
}

TEST_CASE("precision plan: the KV cache takes the types of llama.cpp's --cache-type-k") {
  for (const std::string type :
       {"f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1"}) {
    CAPTURE(type);
    CHECK(plan_for(test::llama_2_7b_card(), {.kv = type}).kv == &number_format(type));
  }
  for (const std::string type : {"q8_1", "q4_k", "q8_k", "iq2_xs"}) {
    CAPTURE(type);
    CHECK_THROWS_AS(plan_for(test::llama_2_7b_card(), {.kv = type}), UsageError);
  }
}

TEST_CASE("scheme: the short names that people use") {
  CHECK(scheme({}) == "fp16");
  CHECK(scheme({.weights = "bf16"}) == "bf16");
  CHECK(scheme({.kv = "fp8"}) == "fp16 kv8 (fp8_e4m3)");
  CHECK(scheme({.weights = "w4"}) == "w4a16 (int4_g128)");
  CHECK(scheme({.weights = "int8"}) == "w8a16 (int8)");
  CHECK(scheme({.weights = "int8", .activations = "int8"}) == "w8a8 (int8)");
  CHECK(scheme({.weights = "fp8", .activations = "fp8", .kv = "int8"}) ==
        "w8a8 (fp8_e4m3) kv8 (int8)");
  CHECK(scheme({.weights = "w4", .activations = "fp8"}) == "w4a8 (int4_g128, fp8_e4m3)");
  CHECK(scheme({.weights = "iq1_s"}) == "w1.5a16 (iq1_s)");
  CHECK(scheme({.activations = "bf16"}) == "w16a16 (fp16, bf16)");
}
