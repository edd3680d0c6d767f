// The ledger against what engines print when they start.
#include "roofcast/predict/memory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::near;

namespace {

constexpr double kMiB = 1048576.0;
constexpr double kGiB = 1073741824.0;

MemoryForecast on_device(const test::Shape& shape, const HardwareProfile& profile,
                         MemoryRequest request, const char* runtime = "none",
                         const char* weights = "auto", const char* kv = "auto") {
  const Model model = test::model(shape);
  return forecast_memory(model, test::plan(model, weights, "auto", kv), find_runtime(runtime),
                         request, &profile);
}

}  // namespace

// Budgets that engines printed, one GPU each: fraction of the memory that nvidia-smi states, size
// of the pool for keys and values. Everything between the two is predicted. The 4090 ran vLLM 0.19,
// whose sampler holds fewer copies of the logits.
TEST_CASE("vllm: the pool for keys and values against public start-up logs") {
  constexpr test::Shape qwen7b{.name = "qwen2.5-7b",
                               .family = "qwen2",
                               .vocabulary = 152064,
                               .hidden = 3584,
                               .layers = 28,
                               .heads = 28,
                               .kv_heads = 4,
                               .intermediate = 18944,
                               .context = 32768};
  constexpr test::Shape qwen14b{.name = "qwen2.5-14b",
                                .family = "qwen2",
                                .vocabulary = 152064,
                                .hidden = 5120,
                                .layers = 48,
                                .heads = 40,
                                .kv_heads = 8,
                                .intermediate = 13824,
                                .context = 32768};
  constexpr test::Shape qwen15b{.name = "qwen2.5-1.5b",
                                .family = "qwen2",
                                .vocabulary = 151936,
                                .hidden = 1536,
                                .layers = 28,
                                .heads = 12,
                                .kv_heads = 2,
                                .intermediate = 8960,
                                .tied = true,
                                .context = 32768};
  constexpr test::Shape qwen05b{.name = "qwen2.5-0.5b",
                                .family = "qwen2",
                                .vocabulary = 151936,
                                .hidden = 896,
                                .layers = 24,
                                .heads = 14,
                                .kv_heads = 2,
                                .head_dim = 64,
                                .intermediate = 4864,
                                .tied = true,
                                .context = 32768};
  constexpr test::Shape phi4mini{.name = "phi-4-mini",
                                 .vocabulary = 200064,
                                 .hidden = 3072,
                                 .layers = 32,
                                 .heads = 24,
                                 .kv_heads = 8,
                                 .intermediate = 8192,
                                 .tied = true,
                                 .context = 131072};
  struct Row {
    const char* source;
    const test::Shape& shape;
    const char* device;
    double mib;
    double fraction;
    double pool_gib;
  };
  const std::vector<Row> rows = {
      {"llm-d-planner, vLLM 0.11", test::kLlama31_8b, "nvidia-h100-sxm5-80gb", 81559, 0.9, 51.38},
      {"llm-d-planner, vLLM 0.11", test::kQwen3_32b, "nvidia-h100-sxm5-80gb", 81559, 0.9, 4.45},
      {"llm-d-planner, vLLM 0.11", test::kQwen3_06b, "nvidia-h100-sxm5-80gb", 81559, 0.9, 64.45},
      {"issue log, vLLM 0.7", test::kLlama31_8b, "nvidia-a100-sxm4-80gb", 81920, 0.9, 54.93},
      {"issue log, vLLM 0.7", qwen15b, "nvidia-a10", 23028, 0.9, 15.52},
      {"issue log, vLLM 0.7", qwen15b, "nvidia-l40s", 46068, 0.85, 33.37},
      {"issue log, vLLM 0.7", qwen05b, "nvidia-t4", 15360, 0.9, 10.63},
      {"issue log, vLLM 0.7", phi4mini, "nvidia-a100-pcie-40gb", 40960, 0.9, 26.6},
      {"vllm discussion 13803", qwen14b, "nvidia-a100-pcie-40gb", 40960, 0.9, 6.38},
      {"issue log, vLLM 0.7", qwen7b, "nvidia-v100-sxm2-32gb", 32768, 0.9, 12.8},
      // 2588 blocks x 16 tokens x 131,072 B (casys-kaist/LLMServingSim, bench, vLLM 0.19.0).
      {"LLMServingSim", test::kLlama31_8b, "nvidia-rtx-4090", 24564, 0.9, 5.0547},
  };
  std::vector<double> errors;
  for (const Row& row : rows) {
    const Model model = test::model(row.shape);
    const HardwareProfile profile = test::device(bytes(row.mib * kMiB), row.device);
    const MemoryForecast memory =
        forecast_memory(model, test::plan(model), find_runtime("vllm"),
                        {.kv_block = 16, .memory_fraction = row.fraction}, &profile);
    const Bytes pool = static_cast<double>(memory.kv_capacity_tokens.value()) *
                       (memory.kv_per_token * tokens(1.0));
    errors.push_back(std::fabs(pool.value() / kGiB / row.pool_gib - 1.0));
    INFO(std::string(row.source) << ", " << std::string(row.shape.name) << " on "
                                 << std::string(row.device) << ": " << errors.back());
    CHECK(errors.back() < 0.05);
  }
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] < 0.01);
}

// llm-d-planner: Llama 3.1 70B with FP8 matrices on one H100 is refused (67.72 GiB of weights,
// -1.44 GiB left), whatever the context.
TEST_CASE("vllm: a 70B in FP8 loads on one H100 and leaves no room") {
  const MemoryForecast memory = on_device(test::kLlama31_70b, test::h100(), {}, "vllm", "fp8_e4m3");
  CHECK(near(memory.weights.value(), 67.72 * kGiB, 0.005));
  CHECK(memory.fits == false);
  CHECK(memory.max_batch == 0);
}
