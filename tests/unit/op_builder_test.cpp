#include "roofcast/model/op_builder.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/parameter_count.hpp"

#include <algorithm>
#include <string>

#include "support/allocations.hpp"
#include "support/cards.hpp"
#include "support/near.hpp"
#include "support/operators.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::count;
using test::find;
using test::near;
using test::operators_of;
using test::StepTotals;
using test::totals;

namespace {

/// Llama 2 7B with a window in every layer.
Model windowed(std::int64_t window) {
  Model model = build_model(test::llama_2_7b_card());
  for (LayerGroup& group : model.groups) {
    for (Module& module : group.modules)
      module.attention.window = window;
  }
  return model;
}

}  // namespace

TEST_CASE("operators: one entry per kernel and layer group, in the order of the model") {
  const OperatorList list =
      operators_of(build_model(test::llama_2_7b_card()), decode_step(1, 2048));
  std::string names;
  for (const Operator& op : list) {
    names += std::string(op.name) + " x" + std::to_string(op.repeat) + "\n";
  }
  CHECK(names ==
        "embedding x1\nattn_norm x32\nqkv x32\nrope_kv x32\nattention x32\nattn_out x32\n"
        "ffn_norm x32\ngate_up x32\nactivation x32\ndown x32\nfinal_norm x1\nhead x1\n");
}

TEST_CASE("operators: prefill of Llama 2 7B, 2,048 tokens, by hand") {
  // Linear layers: 2 x 2,048 x 32 x 202,375,168 = 26,525,718,020,096 FLOP.
  // Attention, causal: 32 layers x 2 H h s (s + 1) = 32 x 2 x 32 x 128 x 2,048 x 2,049 =
  // 1,100,048,498,688;
  //   without causality 2.2e12, 4 % more in all (LLM-Viewer, GenZ, llm-analysis, calculon).
  // Head, last token alone: 2 x 32,000 x 4,096 = 262,144,000; for every position 0.54e12 (GenZ).
  // The embedding is a gather: 0, not a product of 0.54e12 (GenZ, trl).
  const StepTotals sum =
      totals(operators_of(build_model(test::llama_2_7b_card()), prefill_step(1, 2048)));
  CHECK(sum.work == flops(26'525'718'020'096.0 + 1'100'048'498'688.0 + 262'144'000.0));
  // An independent tool has 27.63 TFLOP.
  CHECK(near(sum.work, flops(27.63e12), 1e-3));
  // Weights once, whatever the prompt; the prompt's K and V written once.
  CHECK(sum.weights == bytes(13'476'831'232.0 - 262'144'000.0));
  CHECK(sum.kv == bytes(2'048 * 524'288.0));
}

TEST_CASE("operators: decode step of Llama 2 7B at context 2,048, by hand") {
  // 13,476,831,232 B less the table 262,144,000 B, and 2,048 x 524,288 B of K and V: 14.288 GB.
  // With the table read as well 14.55 GB (llm-analysis); K and V read and written again 15.36 GB
  // (llm-analysis).
  const StepTotals sum =
      totals(operators_of(build_model(test::llama_2_7b_card()), decode_step(1, 2048)));
  CHECK(sum.bytes() == bytes(13'214'687'232.0 + 1'073'741'824.0));
  CHECK(near(sum.bytes(), bytes(14.288e9), 1e-4));
  // 2 x (6,476,005,376 + 131,072,000) and, in attention, 32 x 4 x 32 x 128 x 2,048.
  CHECK(sum.work == flops(13'214'154'752.0 + 1'073'741'824.0));
}

TEST_CASE("operators: every sequence of a batch reads its own K and V") {
  // Peers that read one token's or one sequence's K and V (llm-calculator 4.03 ms, llmvram): at
  // 3,350 GB/s Llama 2 7B, batch 16, context 2,048 takes at least 9.073 ms; Llama 3 8B, batch
  // 32, 7.045 ms, with query heads in place of KV heads 16.25 ms (LLM-Viewer).
  const StepTotals llama2 =
      totals(operators_of(build_model(test::llama_2_7b_card()), decode_step(16, 2048)));
  CHECK(llama2.kv == bytes(16 * 2'048 * 524'288.0));
  CHECK(near(llama2.bytes(), bytes(9.073e-3 * 3350e9), 1e-4));
  const StepTotals llama3 =
      totals(operators_of(build_model(test::llama_3_1_8b_card()), decode_step(32, 2048)));
  CHECK(llama3.kv == bytes(32 * 2'048 * 131'072.0));
  CHECK(near(llama3.bytes(), bytes(7.045e-3 * 3350e9), 1e-4));
}

TEST_CASE("operators: attention of a decode step grows with the context and counts query heads") {
  // 4 T s H h: 70B, 64 query heads of 128 on 8 KV heads. 2 T s K h would be 16 times too low
  // (llm-calculator).
  const Model model = build_model(test::llama_2_70b_card());
  const auto work = [&](std::int64_t context) {
    return find(operators_of(model, decode_step(1, context)), "attention").work;
  };
  CHECK(work(1000) == flops(4.0 * 1000 * 64 * 128));
  CHECK(work(2000) == flops(4.0 * 2000 * 64 * 128));
}

TEST_CASE("operators: a window bounds attention and is continuous where it fills") {
  // Pairs of one prefill: sum of min(i, W) for i = 1 ... s. s = W: W (W + 1) / 2; each further
  // token adds W. Peers jump by 2 at s = W + 1 (aiconfigurator).
  constexpr std::int64_t kWindow = 1000;
  const Model model = windowed(kWindow);
  const double per_pair = 4.0 * 32 * 128;
  const auto prefill_pairs = [&](std::int64_t prompt) {
    const Flops work = find(operators_of(model, prefill_step(1, prompt)), "attention").work;
    return static_cast<double>(work / flops(per_pair));
  };
  CHECK(prefill_pairs(999) == 999.0 * 1000 / 2);
  CHECK(prefill_pairs(1000) == 1000.0 * 1001 / 2);
  CHECK(prefill_pairs(1001) == 1000.0 * 1001 / 2 + 1000);
  CHECK(prefill_pairs(1500) == 1000.0 * 1001 / 2 + 500 * 1000);
  // Decode: min(context, W) tokens seen and moved.
  for (const std::int64_t context : {999, 1000, 1001, 5000}) {
    CAPTURE(context);
    const OperatorList list = operators_of(model, decode_step(1, context));
    const auto seen = static_cast<double>(std::min(context, kWindow));
    CHECK(find(list, "attention").work == flops(per_pair * seen));
    CHECK(find(list, "attention").kv == bytes(16'384.0 * seen));
  }
  // A prefill longer than the window leaves the last W tokens behind.
  CHECK(find(operators_of(model, prefill_step(1, 1500)), "attention").kv == bytes(16'384.0 * 1000));
}

TEST_CASE("operators: chunks of a prefill sum to the whole") {
  // 600 tokens, then 400 more that attend to all 1,000; the second reads the first's K and V.
  for (const Model& model : {build_model(test::llama_2_7b_card()), windowed(500), windowed(1)}) {
    const Operator whole = find(operators_of(model, prefill_step(1, 1000)), "attention");
    const Operator first = find(operators_of(model, prefill_step(1, 600)), "attention");
    const Operator second = find(operators_of(model, {Phase::prefill, 1, 400, 1000}), "attention");
    CHECK(first.work + second.work == whole.work);
  }
  const OperatorList second =
      operators_of(build_model(test::llama_2_7b_card()), {Phase::prefill, 1, 400, 1000});
  CHECK(find(second, "attention").kv == bytes(1000 * 16'384.0));
}

TEST_CASE("operators: the last chunk of one token is a decode step") {
  const Model model = windowed(100);
  for (const std::int64_t context : {1, 99, 100, 101, 300}) {
    const StepTotals chunk = totals(operators_of(model, {Phase::prefill, 3, 1, context}));
    const StepTotals decode = totals(operators_of(model, decode_step(3, context)));
    CHECK(chunk.work == decode.work);
    CHECK(chunk.kv == decode.kv);
  }
}

TEST_CASE("operators: weight-only quantisation shrinks the weights and nothing else") {
  // GenZ multiplies the peak by 4 for INT4; aiconfigurator shrinks activations with the weights.
  const Model model = build_model(test::llama_2_7b_card());
  const OperatorList fp16 = operators_of(model, decode_step(8, 2048));
  const OperatorList int4 =
      operators_of(model, decode_step(8, 2048), {.weights = "int4_g128"},
                   {.gemm = ComputePath::fp16_tensor, .gemm_weight_only = true});
  REQUIRE(fp16.size() == int4.size());
  for (std::size_t i = 0; i < fp16.size(); ++i) {
    CAPTURE(fp16[i].name);
    CHECK(fp16[i].work == int4[i].work);
    CHECK(fp16[i].kv == int4[i].kv);
    CHECK(fp16[i].activations == int4[i].activations);
    CHECK(fp16[i].path == int4[i].path);
  }
  const Operator& down = find(int4, "down");
  CHECK(down.weights == bytes(4096.0 * 11008 / 2));
  CHECK(down.scales == bytes(4096.0 * 11008 / 128 * 2));
  CHECK(down.weight_only);
  CHECK(down.element_bits == 4);
  // The head stays as it was.
  CHECK_FALSE(find(int4, "head").weight_only);
  CHECK(find(int4, "head").element_bits == 16);
  CHECK(find(int4, "head").weights == bytes(262'144'000.0));
}

TEST_CASE("operators: quantised activations are a kernel of their own and narrow the inputs") {
  const Model model = build_model(test::llama_2_7b_card());
  const PrecisionRequest w8a8{.weights = "fp8", .activations = "fp8"};
  const PathChoice paths{.gemm = ComputePath::fp8_tensor, .quantise_activations = true};
  const OperatorList list = operators_of(model, prefill_step(2, 100), w8a8, paths);
  // One for each input: qkv, attn_out, gate_up, down. The head is FP16 and reads FP16.
  std::vector<Bytes> quantise;
  for (const Operator& op : list) {
    if (op.kind == OperatorKind::quantise) {
      quantise.push_back(op.activations);
      CHECK(op.repeat == 32);
      CHECK(op.work == flops(0.0));
    }
  }
  REQUIRE(quantise.size() == 4);
  // Reads 2 B and writes 1 B for each of 200 x 4,096 or 11,008 elements.
  CHECK(quantise[0] == bytes(3.0 * 200 * 4096));
  CHECK(quantise[3] == bytes(3.0 * 200 * 11008));
  // In at 1 B, out at 2 B.
  CHECK(find(list, "qkv").activations == bytes(200.0 * (4096 + 2 * 12288)));
  CHECK(find(list, "qkv").path == ComputePath::fp8_tensor);
  CHECK(find(list, "qkv").element_bits == 8);
  CHECK(find(list, "head").activations == bytes(2.0 * 2 * (4096 + 32000)));
  // Norms and attention stay at 16 bits.
  CHECK(find(list, "attn_norm").activations == bytes(4 * 2.0 * 200 * 4096));
}

TEST_CASE("operators: a quantised head takes quantised inputs") {
  const Model model = build_model(test::llama_2_7b_card());
  const PrecisionRequest all8{.weights = "int8", .activations = "int8", .head = "int8"};
  const PathChoice paths{.gemm = ComputePath::int8_tensor,
                         .head = ComputePath::int8_tensor,
                         .quantise_activations = true};
  const OperatorList list = operators_of(model, decode_step(3, 10), all8, paths);
  CHECK(count(list, OperatorKind::quantise) == 5);
  CHECK(find(list, "head").activations == bytes(3.0 * (4096 + 2 * 32000)));
  CHECK(find(list, "head").path == ComputePath::int8_tensor);
  // Weight-only, the head reads 16 bits and needs no kernel.
  PathChoice weight_only = paths;
  weight_only.head_weight_only = true;
  const OperatorList expanded = operators_of(model, decode_step(3, 10), all8, weight_only);
  CHECK(find(expanded, "head").activations == bytes(2.0 * 3 * (4096 + 32000)));
}

TEST_CASE("operators: block-scaled activations count their scales") {
  // MXFP8: 8.25 bits in.
  const OperatorList list =
      operators_of(build_model(test::llama_2_7b_card()), decode_step(1, 1),
                   {.weights = "mxfp8", .activations = "mxfp8"}, {.quantise_activations = true});
  CHECK(find(list, "attn_out").activations == bytes(4096 * 8.25 / 8 + 4096 * 2));
}

TEST_CASE("operators: streams move activations and do no work") {
  const Model model = build_model(test::llama_2_7b_card());
  const OperatorList list = operators_of(model, prefill_step(2, 50));
  const double bytes_per_width = 100 * 2.0;  // 100 tokens of 2 B
  // The gathered rows in, x out; the table itself is not read.
  CHECK(find(list, "embedding").activations == bytes(bytes_per_width * 2 * 4096));
  CHECK(find(list, "embedding").bytes() == bytes(0.0));
  // x and residual in, both out; its own weights.
  CHECK(find(list, "ffn_norm").activations == bytes(bytes_per_width * 4 * 4096));
  CHECK(find(list, "ffn_norm").weights == bytes(4096 * 2.0));
  // Q, K and V in and out.
  CHECK(find(list, "rope_kv").activations == bytes(bytes_per_width * 2 * 3 * 4096));
  // Gate and up in, one out.
  CHECK(find(list, "activation").activations == bytes(bytes_per_width * 3 * 11008));
  // Attention: Q in and s x h out; s x s out is LLM-Viewer's mistake.
  CHECK(find(list, "attention").activations == bytes(bytes_per_width * 2 * 4096));
  for (const Operator& op : list) {
    CAPTURE(op.name);
    CHECK((op.work > flops(0.0)) == (op.kind != OperatorKind::stream));
  }
}

TEST_CASE("operators: learned positions, biases and a tied head of GPT-2") {
  const Model model = build_model(test::gpt2_card());
  const OperatorList list = operators_of(model, decode_step(2, 10), {.weights = "fp16"});
  // A row of positions and x in, x out.
  CHECK(find(list, "positions").activations == bytes(2 * 2.0 * 3 * 768));
  CHECK(find(list, "positions").bytes() == bytes(0.0));
  CHECK(find(list, "qkv").weights == bytes(2.0 * (768 * 2304 + 2304)));
  CHECK(find(list, "attn_norm").weights == bytes(2.0 * 2 * 768));
  CHECK(find(list, "activation").activations == bytes(2 * 2.0 * 2 * 3072));
  // The head reads the table it is tied to.
  CHECK(find(list, "head").weights == bytes(2.0 * 50257 * 768));
}

TEST_CASE("operators: a tied head is read in the format of the table") {
  const Model model = build_model(test::qwen3_0_6b_card());
  const OperatorList list = operators_of(model, decode_step(1, 10), {.embedding = "q8_0"});
  // 1,024 columns are 32 blocks of 34 B, of which 2 B are the scale.
  CHECK(find(list, "head").weights == bytes(151'936.0 * 1'024));
  CHECK(find(list, "head").scales == bytes(151'936.0 * 32 * 2));
  // A gathered row: 32 x 34 B, and 2,048 B out.
  CHECK(find(list, "embedding").activations == bytes(32 * 34.0 + 2'048.0));
}

TEST_CASE("operators: norms of each head have no residual") {
  const OperatorList list = operators_of(build_model(test::qwen3_0_6b_card()), decode_step(1, 10));
  // 16 heads of 128 in and out, 128 shared weights.
  CHECK(find(list, "q_norm").activations == bytes(2.0 * 2 * 16 * 128));
  CHECK(find(list, "q_norm").weights == bytes(2.0 * 128));
  CHECK(find(list, "k_norm").activations == bytes(2.0 * 2 * 8 * 128));
}

TEST_CASE("operators: norms of Q and K over their full width have no residual either") {
  // OLMo 2 in small: 4 heads of 64, 2 KV heads.
  const Model model = build_model(test::make_card("olmo", "olmo2", "bf16",
                                                  {.vocabulary = 100,
                                                   .hidden = 256,
                                                   .layers = 2,
                                                   .heads = 4,
                                                   .kv_heads = 2,
                                                   .head_dim = 64,
                                                   .intermediate = 512,
                                                   .context = 128}));
  const OperatorList list = operators_of(model, decode_step(1, 10));
  CHECK(find(list, "q_norm").activations == bytes(2.0 * 2 * 256));
  CHECK(find(list, "q_norm").weights == bytes(2.0 * 256));
  CHECK(find(list, "k_norm").activations == bytes(2.0 * 2 * 128));
}

TEST_CASE("operators: products in a row share the quantised input") {
  // qkv as two products: of the same input, which is quantised once, or of two.
  const auto quantise_count = [](std::int64_t columns) {
    Model model = build_model(test::llama_2_7b_card());
    std::vector<Module>& modules = model.groups[0].modules;
    const auto qkv = std::find_if(modules.begin(), modules.end(),
                                  [](const Module& module) { return module.name == "qkv"; });
    Module kv = *qkv;
    kv.columns = columns;
    modules.insert(std::next(qkv), kv);
    const OperatorList list =
        operators_of(model, decode_step(1, 10), {.weights = "int8", .activations = "int8"},
                     {.quantise_activations = true});
    return count(list, OperatorKind::quantise);
  };
  CHECK(quantise_count(4096) == 4);
  CHECK(quantise_count(2048) == 5);
}

TEST_CASE("operators: 16-bit activations are not quantised, also where norms are FP32") {
  // GPT-2's checkpoint is FP32; what passes between kernels is 2 B an element.
  const OperatorList list = operators_of(build_model(test::gpt2_card()), decode_step(1, 10),
                                         {.activations = "fp16"}, {.quantise_activations = true});
  CHECK(find(list, "attn_norm").activations == bytes(2.0 * 4 * 768));
  CHECK(find(list, "down").activations == bytes(2.0 * (3072 + 768)));
  CHECK(count(list, OperatorKind::quantise) == 0);
}

TEST_CASE("operators: the path and kind of each product") {
  const PathChoice paths{.gemm = ComputePath::int8_tensor,
                         .head = ComputePath::bf16_tensor,
                         .attention = ComputePath::fp8_tensor};
  const Model model = build_model(test::llama_2_7b_card());
  const OperatorList decode = operators_of(model, decode_step(1, 10), {.kv = "fp8"}, paths);
  CHECK(find(decode, "down").path == ComputePath::int8_tensor);
  CHECK(find(decode, "head").path == ComputePath::bf16_tensor);
  CHECK(find(decode, "attention").path == ComputePath::fp8_tensor);
  CHECK(find(decode, "attention").kind == OperatorKind::attention_decode);
  CHECK(find(decode, "attention").element_bits == 8);
  CHECK(find(decode, "attention").kv == bytes(10 * 8'192.0));
  const OperatorList prefill = operators_of(model, prefill_step(1, 10), {}, paths);
  CHECK(find(prefill, "attention").kind == OperatorKind::attention_prefill);
}

TEST_CASE("operators: nothing is allocated once the list has room") {
  const Model model = build_model(test::gemma_3_4b_card());
  const PrecisionPlan plan =
      plan_precision(model.card, {.weights = "nvfp4", .activations = "fp8", .kv = "q8_0"});
  const PathChoice paths{.quantise_activations = true};
  OperatorList list;
  build_operators(model, plan, paths, prefill_step(1, 10), list);
  const std::size_t allocations = test::allocations_in([&] {
    for (std::int64_t context = 1; context < 3000; context += 7) {
      build_operators(model, plan, paths, decode_step(1 + context % 5, context), list);
      build_operators(model, plan, paths, prefill_step(1, context), list);
    }
  });
  CHECK(allocations == 0);
}

TEST_CASE("operators: steps that cannot be are refused") {
  const Model model = build_model(test::llama_2_7b_card());
  CHECK_THROWS_AS(operators_of(model, decode_step(0, 10)), InternalError);
  CHECK_THROWS_AS(operators_of(model, decode_step(1, 0)), InternalError);
  CHECK_THROWS_AS(operators_of(model, prefill_step(1, 0)), InternalError);
  CHECK_THROWS_AS(operators_of(model, decode_step(1, kMaxTokens + 1)), InternalError);
  CHECK_THROWS_AS(operators_of(model, decode_step(kMaxSequences + 1, 1)), InternalError);
  CHECK_THROWS_AS(operators_of(model, {Phase::prefill, 1, 11, 10}), InternalError);
  // The largest of both is a number.
  const StepTotals sum =
      totals(operators_of(model, {Phase::prefill, kMaxSequences, kMaxTokens, kMaxTokens}));
  CHECK(std::isfinite(sum.work.value()));
  CHECK(sum.work > flops(0.0));
}
