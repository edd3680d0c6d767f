#include "roofcast/model/kv_cache.hpp"

#include "roofcast/base/error.hpp"

#include "support/cards.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;

namespace {

Bytes per_token(const Model& model, std::string_view format, std::int64_t context = 1) {
  return kv_bytes_per_token(model, number_format(format), context) * tokens(1.0);
}

Bytes held(const Model& model, std::string_view format, std::int64_t context) {
  return kv_bytes(model, number_format(format), context);
}

Bytes allocated(const Model& model, std::int64_t context, std::int64_t block) {
  return kv_bytes_allocated(model, number_format("fp16"), context, block);
}

AttentionShape one_head(std::int64_t key_dim, std::int64_t value_dim) {
  AttentionShape shape;
  shape.heads = 1;
  shape.kv_heads = 1;
  shape.key_dim = key_dim;
  shape.value_dim = value_dim;
  return shape;
}

}  // namespace

TEST_CASE("KV cache: Llama 2 7B, as NVIDIA's article has it") {
  // 2 x 32 layers x 32 heads x 128 x 2 B = 524,288 B per token; 4,096 tokens 2,147,483,648 B.
  const Model model = build_model(test::llama_2_7b_card());
  CHECK(per_token(model, "fp16") == bytes(524'288.0));
  CHECK(held(model, "fp16", 4096) == bytes(2'147'483'648.0));
  CHECK(held(model, "fp16", 0) == bytes(0.0));
}

TEST_CASE("KV cache: grouped heads, not query heads and not the hidden size") {
  // 70B: 2 x 80 x 8 x 128 x 2 B. With 64 heads or hidden = 8,192 it would be 2,621,440 (gpu_poor,
  // LLM-Tools, KolosalAI).
  CHECK(per_token(build_model(test::llama_2_70b_card()), "fp16") == bytes(327'680.0));
  // 8B: 2 x 32 x 8 x 128 x 2 B. With 32 heads 524,288: 16.25 instead of 7.95 ms per step
  // (LLM-Viewer).
  CHECK(per_token(build_model(test::llama_3_1_8b_card()), "bf16") == bytes(131'072.0));
}

TEST_CASE("KV cache: grows with the context, not with the size of the model") {
  // alexziskind's calculator takes a fifth of the model at 2,048 tokens: 6.4 GB for Llama 3 8B and
  // 4,128 GB for 70B at 131,072; right are 131,072 B x 2,048 and 327,680 B x 131,072.
  CHECK(held(build_model(test::llama_3_1_8b_card()), "fp16", 2048) == bytes(268'435'456.0));
  CHECK(held(build_model(test::llama_2_70b_card()), "fp16", 131'072) == bytes(42'949'672'960.0));
}

TEST_CASE("KV cache: the head's own width, not hidden / heads") {
  // Qwen3 0.6B: 2 x 28 x 8 x 128 x 2 B. With 1,024 / 16 = 64 it would be 57,344, and 0.53 GiB
  // instead of 1.07 GiB at 10,000 tokens (LLM-Viewer, llm-analysis, hf-mem).
  const Model model = build_model(test::qwen3_0_6b_card());
  CHECK(per_token(model, "bf16") == bytes(114'688.0));
  CHECK(test::near(held(model, "bf16", 10'000), bytes(1.06812 * 1'073'741'824.0), 1e-5));
}

TEST_CASE("KV cache: K and V of different widths") {
  // 192 + 128 elements of 2 B.
  CHECK(kv_bytes_per_layer_token(one_head(192, 128), number_format("bf16")) == bytes(640.0));
}

TEST_CASE("KV cache: half the bits are half the bytes") {
  const Model model = build_model(test::llama_2_7b_card());
  CHECK(per_token(model, "fp32") == bytes(1'048'576.0));
  CHECK(per_token(model, "fp8") == bytes(262'144.0));
  CHECK(per_token(model, "int4") == bytes(131'072.0));
}

TEST_CASE("KV cache: block formats store a head's row in whole blocks") {
  // 128 elements are 4 blocks of Q8_0, 34 B each: 2 x 32 x 32 x 136. 34 B for each element, a
  // block's bytes taken for an element's, would be 32 times as much (node-llama-cpp 66).
  CHECK(per_token(build_model(test::llama_2_7b_card()), "q8_0") == bytes(2 * 32 * 32 * 136.0));
  // 100 elements take 4 blocks as well; 100 x 8.5 bits would be 106.25 B.
  CHECK(kv_bytes_per_layer_token(one_head(100, 100), number_format("q8_0")) == bytes(272.0));
  CHECK(kv_bytes_per_layer_token(one_head(128, 128), number_format("q4_0")) == bytes(144.0));
  CHECK(kv_bytes_per_layer_token(one_head(128, 128), number_format("mxfp8")) == bytes(264.0));
}

TEST_CASE("KV cache: one window in all layers") {
  // Mistral 7B: 131,072 B per token until 4,096 tokens, 536,870,912 B from there on. Without the
  // window 32,768 tokens would hold 4,294,967,296 B (LLM-Viewer, GenZ, vidur).
  const Model model = build_model(test::mistral_7b_card());
  CHECK(held(model, "bf16", 4095) == bytes(4'095 * 131'072.0));
  CHECK(held(model, "bf16", 4096) == bytes(536'870'912.0));
  CHECK(held(model, "bf16", 4097) == bytes(536'870'912.0));
  CHECK(held(model, "bf16", 32'768) == bytes(536'870'912.0));
  // The token that follows adds to the cache as long as the window is not full.
  CHECK(per_token(model, "bf16", 4095) == bytes(131'072.0));
  CHECK(per_token(model, "bf16", 4096) == bytes(0.0));
}

TEST_CASE("KV cache: windowed and full layers side by side") {
  // Gemma 3 4B: 29 windowed layers 118,784 B and 5 full ones 20,480 B per token; window 1,024.
  const Model model = build_model(test::gemma_3_4b_card());
  CHECK(per_token(model, "bf16", 1023) == bytes(118'784.0 + 20'480.0));
  CHECK(per_token(model, "bf16", 1024) == bytes(20'480.0));
  CHECK(held(model, "bf16", 8192) == bytes(1'024 * 118'784.0 + 8'192 * 20'480.0));
}

TEST_CASE("KV cache: what an engine allocates is another number than what is held") {
  // Blocks of 16: 100 tokens take 7, room for 112.
  const Model model = build_model(test::llama_2_7b_card());
  CHECK(allocated(model, 100, 16) == bytes(112 * 524'288.0));
  CHECK(allocated(model, 112, 16) == bytes(112 * 524'288.0));
  CHECK(allocated(model, 113, 16) == bytes(128 * 524'288.0));
  CHECK(allocated(model, 100, 1) == held(model, "fp16", 100));
  CHECK(allocated(model, 0, 16) == bytes(0.0));
  // Windowed layers allocate min(context, window) in whole blocks.
  const Model gemma = build_model(test::gemma_3_4b_card());
  CHECK(allocated(gemma, 1'001, 256) == bytes(1'024 * (118'784.0 + 20'480.0)));
  CHECK(allocated(gemma, 2'000, 256) == bytes(1'024 * 118'784.0 + 2'048 * 20'480.0));
}

TEST_CASE("KV cache: a context that no machine holds is refused, not wrapped") {
  const Model model = build_model(test::llama_2_7b_card());
  // 2^53 / 524,288 = 2^34 tokens.
  CHECK(held(model, "fp16", std::int64_t{1} << 34) == bytes(kMaxExact));
  CHECK_THROWS_AS(held(model, "fp16", (std::int64_t{1} << 34) + 1), ConfigError);
  CHECK_THROWS_AS(held(model, "fp16", 1'000'000'000'000'000'000), ConfigError);
  CHECK_THROWS_AS(allocated(model, 1'000'000'000'000'000'000, 16), ConfigError);
  CHECK_THROWS_AS(held(model, "fp16", -1), InternalError);
  CHECK_THROWS_AS(allocated(model, 1, 0), InternalError);
}
