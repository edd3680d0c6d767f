#include "roofcast/predict/memory.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::near;

namespace {

constexpr double kMiB = 1048576.0;
constexpr double kGiB = 1073741824.0;

/// The ledger without an engine and without a device.
MemoryForecast plain(const test::Shape& shape, MemoryRequest request, const char* weights = "auto",
                     const char* kv = "auto") {
  const Model model = test::model(shape);
  return forecast_memory(model, test::plan(model, weights, "auto", kv), find_runtime("none"),
                         request, nullptr);
}

MemoryForecast on_device(const test::Shape& shape, const HardwareProfile& profile,
                         MemoryRequest request, const char* runtime = "none",
                         const char* weights = "auto", const char* kv = "auto") {
  const Model model = test::model(shape);
  return forecast_memory(model, test::plan(model, weights, "auto", kv), find_runtime(runtime),
                         request, &profile);
}

/// KV tokens that `pool` bytes hold beside the weights.
std::int64_t tokens_in(const test::Shape& shape, Bytes pool, std::int64_t block = 16,
                       const char* kv = "auto") {
  const Bytes weights = plain(shape, {}).weights;
  return on_device(shape, test::device(weights + pool), {.kv_block = block, .memory_fraction = 1.0},
                   "none", "auto", kv)
      .kv_capacity_tokens.value();
}

test::Shape kv_shape(std::int64_t layers, std::int64_t kv_heads, std::int64_t head_dim) {
  return {.name = "kv-shape",
          .layers = layers,
          .heads = kv_heads,
          .kv_heads = kv_heads,
          .head_dim = head_dim};
}

}  // namespace

// 6,738,415,616 parameters of 2 bytes; K and V of 32 layers x 32 heads x 128, 2 bytes each: 524,288
// B.
TEST_CASE("ledger: Llama 2 7B in FP16") {
  const MemoryForecast memory = plain(test::kLlama2_7b, {.context = 4096});
  CHECK(memory.weights == bytes(13476831232.0));
  CHECK(memory.weight_scales == Bytes{});
  CHECK(memory.kv_per_token == bytes(524288.0) / tokens(1.0));
  CHECK(memory.kv_cache == bytes(2147483648.0));
  CHECK(memory.state == Bytes{});
  CHECK(memory.activations == Bytes{});
  CHECK(memory.runtime == Bytes{});
  CHECK(memory.total == bytes(13476831232.0 + 2147483648.0));
  CHECK_FALSE(memory.capacity);
  CHECK_FALSE(memory.usable);
  CHECK_FALSE(memory.fits);
  CHECK_FALSE(memory.max_batch);
  CHECK_FALSE(memory.max_context);
  CHECK_FALSE(memory.kv_capacity_tokens);
}

// Matrices inside the blocks: 32 x (4 x 4096^2 + 3 x 4096 x 11008) = 6,476,005,376 elements. One
// byte each; the other 262,410,240 parameters keep two.
TEST_CASE("ledger: INT8 halves the bytes of the matrices alone") {
  const MemoryForecast memory = plain(test::kLlama2_7b, {}, "int8");
  CHECK(memory.weights - memory.weight_scales == bytes(6476005376.0 + 2.0 * 262410240.0));
  CHECK(memory.kv_per_token ==
        bytes(524288.0) / tokens(1.0));  // weights say nothing about the cache
}

// Reports about the size of the KV cache; sources beside the values.
TEST_CASE("KV cache: public reports, right value against the mistaken one") {
  const auto per_token = [](const test::Shape& shape) {
    return double(plain(shape, {}).kv_per_token / (bytes(1.0) / tokens(1.0)));
  };
  // 8 KV heads, not 64: 2 x 80 x 8 x 128 x 2. Hidden size instead of KV heads gives 2,621,440.
  CHECK(per_token(test::kLlama2_70b) == 327680);
  CHECK(per_token(test::kLlama31_8b) == 131072);
  // Heads of 128 although hidden / heads = 64 (half the size): unslothai/unsloth PR 4757.
  CHECK(per_token(test::kQwen3_06b) == 114688);
  // One KV head of 64: 2 x 32 x 64 x 2; not 2 x 32 x 4544 (text-generation-inference issue 629).
  CHECK(per_token(kv_shape(32, 1, 64)) == 8192);
  // Yi-34B: 2 x 60 x 8 x 128 x 2 = 240 KiB (exllamav2 issue 383).
  CHECK(per_token(kv_shape(60, 8, 128)) == 240 * 1024);
  // Phi-3-mini: 32 heads of 96, 384 KiB and 48 GiB at 131,072 tokens (exllamav2 issue 425).
  CHECK(plain(kv_shape(32, 32, 96), {.context = 131072}).kv_cache == bytes(48 * kGiB));
  // Falcon 180B: 8 KV heads of 64 in 80 layers, 64 x 2048 tokens: 20 GiB, not the 623 GB that the
  // hidden size gives (TensorRT-LLM issue 282).
  CHECK(plain(kv_shape(80, 8, 64), {.batch = 64, .context = 2048}).kv_cache == bytes(20 * kGiB));
  // Same size class, eight times the cache: Qwen 72B with 64 KV heads against 8 (llama.cpp issue
  // 6032).
  CHECK(plain(kv_shape(80, 64, 128), {.context = 8192}).kv_cache == bytes(20 * kGiB));
  CHECK(plain(kv_shape(80, 8, 128), {.context = 8192}).kv_cache == bytes(2.5 * kGiB));
  // FP32 keys and values are an input of their own: 1560 MiB against 780 (llama-cpp-python issue
  // 66).
  CHECK(plain(kv_shape(60, 52, 128), {.context = 512}, "auto", "fp32").kv_cache ==
        bytes(1560 * kMiB));
  CHECK(plain(kv_shape(60, 52, 128), {.context = 512}).kv_cache == bytes(780 * kMiB));
  // 1,048,576 tokens of an 8B: 128 GiB (llama.cpp issue 8101; the log adds 32 bytes of alignment).
  CHECK(plain(test::kLlama31_8b, {.context = 1048576}).kv_cache == bytes(137438953472.0));
  // Llama 3 70B at 131,072 tokens: 42.9 GB beside 141.1 GB, not 4,128 GB as a share of the weights.
  const MemoryForecast large = plain(test::kLlama31_70b, {.context = 131072});
  CHECK(near(large.kv_cache.value(), 42.95e9, 0.001));
  CHECK(near(large.total.value(), 184.06e9, 0.001));
  // Llama 2 7B, batch 8, 4096 tokens: 16 GiB, total 28.6 GiB (TensorRT-LLM issue 67).
  CHECK(plain(test::kLlama2_7b, {.batch = 8, .context = 4096}).kv_cache == bytes(16 * kGiB));
}

// Head and embedding both count when untied, once when tied.
TEST_CASE("weights: head and embedding, right value against the mistaken one") {
  CHECK(near(plain(test::kLlama31_8b, {}).weights.value(), 16.0605e9, 1e-4));  // not 13.959 GB
  // vLLM log of Qwen3 0.6B: 1.12 GiB loaded. Counting the tied table twice gives 1.40 GiB.
  CHECK(near(plain(test::kQwen3_06b, {}).weights.value(), 1.11 * kGiB, 0.002));
}

// K and V of 4096 tokens stay, whatever the context: 32 layers x 8 heads x 128 x 2 x 2 B x 4096.
TEST_CASE("ledger: a sliding window bounds the cache, and a full window grows no more") {
  ModelCard card = test::card(test::kLlama31_8b);
  card.family = "mistral";
  card.attention.window = 4096;
  const Model model = build_model(card);
  const auto at = [&](std::int64_t context) {
    return forecast_memory(model, test::plan(model), find_runtime("none"), {.context = context},
                           nullptr);
  };
  CHECK(at(4096).kv_cache == bytes(4096 * 131072.0));
  CHECK(at(32768).kv_cache == bytes(4096 * 131072.0));  // not eight times as much
  CHECK(at(2048).kv_per_token == bytes(131072.0) / tokens(1.0));
  CHECK(at(32768).kv_per_token == bytes(0.0) / tokens(1.0));
}

// 2049 tokens are 129 blocks of 16: 2064 tokens are allocated, per sequence.
TEST_CASE("ledger: whole blocks per sequence") {
  const MemoryForecast memory = plain(test::kLlama31_8b, {.batch = 3, .context = 2049});
  CHECK(memory.kv_cache == bytes(3.0 * 2064 * 131072));
  const MemoryForecast exact =
      plain(test::kLlama31_8b, {.batch = 3, .context = 2049, .kv_block = 1});
  CHECK(exact.kv_cache == bytes(3.0 * 2049 * 131072));
}

// Sizes of KV pools and the tokens that engines printed for them; GiB are rounded to 0.01 in the
// logs.
TEST_CASE("KV capacity: tokens of a pool against engine logs") {
  // vllm-project/vllm issue 10517: 2.89 GiB hold 23,648 tokens, 3.81 GiB 31,232.
  CHECK(near(double(tokens_in(test::kLlama31_8b, bytes(2.89 * kGiB))), 23648, 0.002));
  CHECK(near(double(tokens_in(test::kLlama31_8b, bytes(3.81 * kGiB))), 31232, 0.002));
  // NVIDIA/TensorRT-LLM issue 1400: 69,524,783,104 B hold 132,608 tokens exactly, in blocks of 64.
  CHECK(tokens_in(test::kLlama2_7b, bytes(69524783104.0), 64) == 132608);
  CHECK(tokens_in(test::kLlama2_7b, bytes(69524783103.0), 64) == 132608 - 64);
  // TensorRT-LLM 0.20, MLPerf Inference v5.1: 122.61 GiB of FP8 keys and values, 803,520 tokens.
  CHECK(near(double(tokens_in(test::kLlama2_70b, bytes(122.61 * kGiB), 32, "fp8_e4m3")), 803520,
             0.0002));
  // vllm-project/vllm issue 42058: FP8 keys and values double the tokens of the same pool.
  const std::int64_t narrow = tokens_in(test::kLlama31_8b, bytes(50 * kGiB), 16, "fp8_e4m3");
  CHECK(narrow == 2 * tokens_in(test::kLlama31_8b, bytes(50 * kGiB)));
  // Qwen3 32B, 4.45 GiB: 16,000 tokens fit and 32,000 do not (llm-d-planner, empirical results).
  const std::int64_t longest = tokens_in(test::kQwen3_32b, bytes(4.45 * kGiB));
  CHECK(longest > 16000);
  CHECK(longest < 32000);
}

// Up to the 1,024 sequences with which the engine starts on this device.
TEST_CASE("KV capacity: does not depend on batch and context where activations do not") {
  const auto capacity = [](std::int64_t batch, std::int64_t context) {
    return on_device(test::kLlama31_8b, test::h100(), {.batch = batch, .context = context}, "vllm")
        .kv_capacity_tokens.value();
  };
  CHECK(capacity(1, 128) == capacity(1000, 128));
  CHECK(capacity(1, 128) == capacity(1, 100000));
}

// Llama 2 70B in FP16 is 137.95 GB: no verdict but "does not fit" on one 80 GB card, and no batch
// at all.
// An engine that allocates as it runs holds the ledger's own activations beside the cache: 32
// prompts of 2,048 tokens need more of them than one of 128.
TEST_CASE("KV capacity: fills what the lines of the ledger leave, in whole blocks") {
  for (const char* runtime : {"none", "vllm", "trtllm", "sglang", "llamacpp"}) {
    CAPTURE(runtime);
    for (const MemoryRequest& request : {MemoryRequest{.batch = 1, .context = 256, .prompt = 128},
                                         MemoryRequest{.batch = 32, .context = 2304}}) {
      const MemoryForecast memory = on_device(test::kLlama31_8b, test::h100(), request, runtime);
      const double left = (*memory.usable - memory.weights - memory.activations - memory.runtime) /
                          bytes(131072.0 * 16);
      CHECK(*memory.kv_capacity_tokens == 16 * static_cast<std::int64_t>(left));
    }
  }
}

// The prompt of a sequence is no longer than its context: the answer for a prompt of 8,192 tokens
// is that of a prompt as long as the context itself, wherever that is shorter.
TEST_CASE("inverses: the activations of a shorter context are those of a shorter prompt") {
  const test::Shape& shape = test::kLlama31_8b;
  const Bytes weights = plain(shape, {}).weights;
  const auto ask = [&](std::int64_t context) {
    return on_device(shape, test::device(weights + bytes(1.5 * kGiB)),
                     {.context = context, .prompt = 8192, .memory_fraction = 1.0}, "sglang");
  };
  const std::int64_t longest = ask(16).max_context.value();
  REQUIRE(longest > 0);
  REQUIRE(longest < 8192);
  CHECK(*ask(longest).fits);
  CHECK_FALSE(*ask(longest + 1).fits);
}

TEST_CASE("fit: a model that is larger than the card") {
  const MemoryForecast memory = on_device(test::kLlama2_70b, test::h100(), {});
  CHECK(memory.fits == false);
  CHECK(memory.max_batch == 0);
  CHECK(memory.max_context == 0);
  CHECK(memory.kv_capacity_tokens == 0);
}

// 81,559 MiB as the driver reports, not 80 GiB; 0.9 of it is 73,403.1 MiB.
TEST_CASE("fit: usable is the fraction of what the driver reports") {
  const MemoryForecast memory = on_device(test::kLlama2_7b, test::h100(), {});
  CHECK(memory.capacity == bytes(81559 * kMiB));
  // 0.9 x 85,520,809,984 B = 76,968,728,985.6 B, of which a device has whole ones.
  CHECK(memory.usable == bytes(76968728985.0));
  CHECK(memory.fits == true);
}

// Room for exactly 3 sequences of 64 tokens (4 blocks of 16): one byte less and it is 2.
TEST_CASE("inverses: exact at the byte") {
  const Bytes weights = plain(test::kLlama2_7b, {}).weights;
  const Bytes sequence = bytes(64 * 524288.0);
  const MemoryRequest request{.context = 64, .prompt = 32, .memory_fraction = 1.0};
  const auto on = [&](Bytes capacity) {
    return on_device(test::kLlama2_7b, test::device(capacity), request);
  };
  CHECK(on(weights + 3.0 * sequence).max_batch == 3);
  CHECK(on(weights + 3.0 * sequence - bytes(1.0)).max_batch == 2);
  CHECK(on(weights + sequence - bytes(1.0)).max_batch == 0);
  CHECK(on(weights + 3.0 * sequence).max_context == 192);
  CHECK(on(weights + 3.0 * sequence - bytes(1.0)).max_context == 176);
  CHECK(on(weights + bytes(16 * 524288.0 - 1)).max_context == 0);
}

TEST_CASE("inverses: capped at the limits, and at learned positions") {
  const HardwareProfile vast = test::device(bytes(1e15));
  const test::Shape tiny{.name = "tiny",
                         .vocabulary = 16,
                         .hidden = 8,
                         .layers = 1,
                         .heads = 1,
                         .kv_heads = 1,
                         .head_dim = 8,
                         .intermediate = 16};
  const MemoryForecast memory = on_device(tiny, vast, {.context = 16, .prompt = 16});
  CHECK_FALSE(memory.max_batch);
  CHECK_FALSE(memory.max_context);
  CHECK(memory.fits == true);
  ModelCard card = test::card(tiny);
  card.family = "gpt2";
  card.position_rows = 1024;
  card.context = 1024;
  const Model model = build_model(card);
  const auto ask = [&](std::int64_t context) {
    return forecast_memory(model, test::plan(model), find_runtime("none"), {.context = context},
                           &vast);
  };
  CHECK(ask(1024).max_context == 1024);
  CHECK_THROWS_WITH_AS(ask(1025),
                       "a context of 1025 tokens is beyond tiny, whose learned positions end at "
                       "1024; a shorter prompt or output would help",
                       ConfigError);
}

TEST_CASE("inverses: a cache that stops growing limits no context") {
  test::Shape shape = test::kLlama31_8b;
  ModelCard card = test::card(shape);
  card.family = "mistral";
  card.attention.window = 4096;
  const Model model = build_model(card);
  const auto ask = [&](const HardwareProfile& device) {
    return forecast_memory(model, test::plan(model), find_runtime("none"), {}, &device);
  };
  const MemoryForecast roomy = ask(test::h100());
  CHECK(roomy.max_batch);
  CHECK_FALSE(roomy.max_context);
  // Room for 4,000 of the 4,096 tokens of the window is a limit: 131,072 B each.
  const MemoryForecast tight =
      ask(test::device(bytes((roomy.weights.value() + 4000 * 131072.0) / 0.9 + 2)));
  CHECK(tight.max_context == 4000);
}

TEST_CASE("a device that states no memory leaves what depends on it empty") {
  HardwareProfile host = test::h100();
  host.memory.capacity.reset();
  const MemoryForecast memory = on_device(test::kLlama2_7b, host, {});
  CHECK(memory.total > Bytes{});
  CHECK_FALSE(memory.capacity);
  CHECK_FALSE(memory.usable);
  CHECK_FALSE(memory.fits);
  CHECK_FALSE(memory.max_batch);
}

TEST_CASE("bad requests are refused with their limits") {
  const auto ask = [](MemoryRequest request) { return plain(test::kLlama2_7b, request); };
  CHECK_THROWS_WITH_AS(ask({.batch = 0}), "batch must be from 1 to 16777216, got 0", ConfigError);
  CHECK_THROWS_AS(ask({.batch = -1}), ConfigError);
  CHECK_THROWS_WITH_AS(ask({.context = kMaxTokens + 1}),
                       "context must be from 1 to 1073741824, got 1073741825", ConfigError);
  CHECK_THROWS_AS(ask({.prompt = 0}), ConfigError);
  CHECK_THROWS_AS(ask({.kv_block = 0}), ConfigError);
  CHECK_THROWS_WITH_AS(ask({.memory_fraction = 0.0}),
                       "memory fraction must be above 0 and at most 1, got 0", ConfigError);
  CHECK_THROWS_AS(ask({.memory_fraction = 1.01}), ConfigError);
  CHECK_THROWS_AS(ask({.memory_fraction = std::numeric_limits<double>::quiet_NaN()}), ConfigError);
  // 2^24 sequences x 2^30 tokens x 2^19 B.
  CHECK_THROWS_WITH_AS(ask({.batch = kMaxSequences, .context = kMaxTokens}),
                       "batch 16777216 at 1073741824 tokens of context takes more than 2^53 bytes; "
                       "a smaller batch or a shorter context would help",
                       ConfigError);
}
