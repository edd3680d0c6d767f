#include "roofcast/model/parameter_count.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>

#include "support/cards.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;

namespace {

Bytes bytes_of(const Model& model, const PrecisionRequest& request) {
  return weight_bytes(model, plan_precision(model.card, request)).total();
}

std::int64_t sum_of(const Model& model, WeightRole role) {
  std::int64_t sum = 0;
  for (const WeightTensor& tensor : weight_tensors(model)) {
    if (tensor.role == role)
      sum += tensor.parameters();
  }
  return sum;
}

}  // namespace

TEST_CASE("census: Llama 2 7B by hand") {
  // table 32,000 x 4,096 = 131,072,000 and a head of the same size;
  // layer: q, k, v, o 4 x 4,096^2 = 67,108,864; gate, up, down 3 x 4,096 x 11,008 = 135,266,304;
  //        two norms 8,192; together 202,383,360, 32 times 6,476,267,520; final norm 4,096.
  // Published: 6,738,415,616. A head that is forgotten gives 6,607,343,616, and with the table
  // forgotten as well 12.952 GB instead of 13.477 GB (LLM-Viewer).
  const Model model = build_model(test::llama_2_7b_card());
  const ParameterCount count = count_parameters(model);
  CHECK(count.total == 2 * 131'072'000 + 6'476'267'520 + 4'096);
  CHECK(count.total == 6'738'415'616);
  CHECK(count.active == count.total);
  CHECK(count.embedding == 131'072'000);
  CHECK(sum_of(model, WeightRole::matrix) == std::int64_t{32} * 202'375'168);
  CHECK(sum_of(model, WeightRole::small) == 65 * 4'096);
}

TEST_CASE("census: published totals of models with the usual traps") {
  // 70B: 8 KV heads; formulas with 12 L d^2 give 64.4 billion (gpu_poor).
  CHECK(count_parameters(build_model(test::llama_2_70b_card())).total == 68'976'648'192);
  CHECK(count_parameters(build_model(test::llama_3_1_8b_card())).total == 8'030'261'248);
  // head_dim 128 although 1,024 / 16 = 64, norms of Q and K; the file's second copy of the table
  // makes 751,632,384 (the Hub's figure), which is not what a model has.
  CHECK(count_parameters(build_model(test::qwen3_0_6b_card())).total == 596'049'920);
  CHECK(count_parameters(build_model(test::mistral_7b_card())).total == 7'241'732'096);
  // gemma-3-4b-it is published with 4,300,079,472. Less its tower: SigLIP, e = 1,152, f = 4,304:
  // patches 588 e + e, positions 4,096 e, 27 x (4 e + 4 (e^2 + e) + 2 e f + f + e), norm 2 e =
  // 416,866,032; and its projection 1,152 x 2,560 + 1,152 = 2,950,272.
  static_assert(4'300'079'472 - 416'866'032 - 2'950'272 == 3'880'263'168);
  CHECK(count_parameters(build_model(test::gemma_3_4b_card())).total == 3'880'263'168);
}

TEST_CASE("census: GPT-2 with fused biases, learned positions and a tied head") {
  // wte 50,257 x 768 = 38,597,376 (once); wpe 1,024 x 768 = 786,432; layer: c_attn 768 x 2,304 +
  // 2,304 = 1,771,776, c_proj 768^2 + 768 = 590,592, c_fc 768 x 3,072 + 3,072 = 2,362,368, c_proj
  // 2,360,064, two norms with biases 3,072; together 7,087,872, 12 times 85,054,464; ln_f 1,536.
  // The head counted again would give 163,037,184.
  const Model model = build_model(test::gpt2_card());
  CHECK(count_parameters(model).total == 38'597'376 + 786'432 + 85'054'464 + 1'536);
  CHECK(count_parameters(model).total == 124'439'808);
  CHECK(count_parameters(model).embedding == 38'597'376);
  CHECK(sum_of(model, WeightRole::head) == 0);
}

TEST_CASE("census: OPT stores two rows of positions more than its context") {
  // 2,050 x 768 = 1,574,400; with 2,048 rows the total would be 125,237,760 (keras-hub).
  const Model model = build_model(test::opt_125m_card());
  CHECK(count_parameters(model).total == 50'272 * 768 + 1'574'400 + 85'054'464 + 1'536);
  CHECK(count_parameters(model).total == 125'239'296);
}

TEST_CASE("weight bytes: Llama 2 7B in FP16 to the byte") {
  const Model model = build_model(test::llama_2_7b_card());
  CHECK(bytes_of(model, {}) == bytes(13'476'831'232.0));
  CHECK(bytes_of(model, {.weights = "fp32"}) == bytes(26'953'662'464.0));
}

TEST_CASE("weight bytes: INT8 for every matrix is half the matrix bytes exactly") {
  // 6,738,149,376 elements in matrices and tables, 266,240 in norms, which stay at 16 bits.
  const Model model = build_model(test::llama_2_7b_card());
  const Bytes norms = bytes(532'480.0);
  const Bytes half = bytes_of(model, {.weights = "int8", .embedding = "int8", .head = "int8"});
  CHECK(half - norms == 0.5 * (bytes_of(model, {}) - norms));
  CHECK(half == bytes(6'738'149'376.0 + 532'480.0));
}

TEST_CASE("weight bytes: quantised weights leave table, head and norms as they are") {
  // matrices 6,476,005,376: payload 4 bits 3,238,002,688 B, a 16-bit scale per 128 101,187,584 B;
  // table and head 2 x 262,144,000 B, norms 532,480 B.
  // Without scales it would be 101 MB less; everything at 4 bits 3.37 GB.
  const Model model = build_model(test::llama_2_7b_card());
  const StorageBytes stored =
      weight_bytes(model, plan_precision(model.card, {.weights = "int4_g128"}));
  CHECK(stored.payload == bytes(3'238'002'688.0 + 524'288'000.0 + 532'480.0));
  CHECK(stored.overhead == bytes(101'187'584.0));
}

TEST_CASE("weight bytes: a tied table counts once, in the format of both") {
  // Qwen3 0.6B: table 151,936 x 1,024 = 155,582,464.
  const Model model = build_model(test::qwen3_0_6b_card());
  CHECK(bytes_of(model, {}) == bytes(2 * 596'049'920.0));
  CHECK(bytes_of(model, {.head = "int8"}) == bytes(2 * 596'049'920.0 - 155'582'464.0));
}

TEST_CASE("weight bytes: GPT-2 is published in FP32") {
  const Model model = build_model(test::gpt2_card());
  CHECK(bytes_of(model, {.weights = "fp32"}) == bytes(4 * 124'439'808.0));
  CHECK(bytes_of(model, {.weights = "fp16"}) == bytes(2 * 124'439'808.0));
}

TEST_CASE("weight tensors: named, shaped and repeated as the layers are") {
  const std::vector<WeightTensor> tensors = weight_tensors(build_model(test::gpt2_card()));
  const auto qkv = std::find_if(tensors.begin(), tensors.end(), [](const WeightTensor& tensor) {
    return tensor.name == "qkv" && !tensor.vector;
  });
  REQUIRE(qkv != tensors.end());
  CHECK(qkv->rows == 2304);
  CHECK(qkv->columns == 768);
  CHECK(qkv->copies == 12);
  CHECK(qkv->role == WeightRole::matrix);
  const WeightTensor& bias = *std::next(qkv);
  CHECK(bias.name == "qkv");
  CHECK(bias.vector);
  CHECK(bias.parameters() == 12 * 2304);
  CHECK(bias.role == WeightRole::small);
}

TEST_CASE("census: more parameters than can be counted are refused") {
  // 10,000 layers of the widest matrices that a card may ask for.
  ModelCard card = test::llama_2_7b_card();
  card.layers = kMaxLayers;
  card.hidden = kMaxWidth;
  card.feed_forward.intermediate = kMaxWidth;
  CHECK_THROWS_AS(build_model(card), ConfigError);
}
