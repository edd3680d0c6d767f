#include "roofcast/predict/forecast.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::near;

namespace {

/// A question together with what its request points to.
struct Asked {
  Model model;
  HardwareProfile profile;
  ForecastRequest request;

  Asked(const test::Shape& shape, HardwareProfile device, Workload workload,
        const char* runtime = "none", const char* level = "spec")
      : Asked(test::model(shape), std::move(device), workload, runtime, level) {}
  Asked(Model built, HardwareProfile device, Workload workload, const char* runtime = "none",
        const char* level = "spec")
      : model(std::move(built)), profile(std::move(device)) {
    request.model = &model;
    request.profile = &profile;
    request.plan = test::plan(model);
    request.workload = workload;
    request.runtime = &find_runtime(runtime);
    request.level = level;
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  Asked& scheme(const char* weights, const char* activations = "auto", const char* kv = "auto") {
    request.plan = test::plan(model, weights, activations, kv);
    return *this;
  }
  [[nodiscard]] Forecast answer() const { return forecast(request); }
};

double ms(Seconds time) {
  return time.value() * 1e3;
}

const Warning* find(const Forecast& forecast, WarningKind kind) {
  const auto at = std::find_if(forecast.warnings.begin(), forecast.warnings.end(),
                               [&](const Warning& warning) { return warning.kind == kind; });
  return at == forecast.warnings.end() ? nullptr : &*at;
}

std::string message(const Forecast& forecast, WarningKind kind) {
  const Warning* warning = find(forecast, kind);
  return warning == nullptr ? "" : warning->message;
}

}  // namespace

// Llama 2 7B in FP16, batch 1, derived by hand. Prefill of 2048: 2 x 6,476,005,376 matrix weights x
// 2048
// + causal attention 2 x 32 x 4096 x 2048 x 2049 + one row of logits 2 x 131,072,000 = 27.63 TFLOP.
// Decode at context 2048: every weight but the embedding table, 13,214,687,232 B, and 2048 x
// 524,288 B of keys and values: 14.288 GB. One decode step: prompt 2047, output 2.
TEST_CASE("bounds of Llama 2 7B on A100 and H100") {
  const Forecast prefill = Asked(test::kLlama2_7b, test::a100(), {1, 2048, 1}).answer();
  CHECK(near(prefill.prefill.work.value(), 27.63e12, 0.001));
  CHECK(near(ms(prefill.prefill.bound), 88.5, 0.005));
  CHECK(prefill.prefill.limited_by() == LimitedBy::compute);
  const Forecast h100 = Asked(test::kLlama2_7b, test::h100(), {1, 2048, 1}).answer();
  CHECK(near(ms(h100.prefill.bound), 27.9, 0.005));

  const Forecast decode = Asked(test::kLlama2_7b, test::a100(), {1, 2047, 2}).answer();
  CHECK(near(decode.decode->bytes.value(), 14.288e9, 0.001));
  CHECK(near(ms(decode.decode->bound), 7.008, 0.001));
  CHECK(decode.decode->limited_by() == LimitedBy::memory);
  const Forecast faster = Asked(test::kLlama2_7b, test::h100(), {1, 2047, 2}).answer();
  CHECK(near(ms(faster.decode->bound), 4.265, 0.001));
}

// Values of the peers that break the bound or miss the context stand beside the right ones.
TEST_CASE("bounds: decode reads the whole cache of every sequence, once") {
  // Llama 2 7B on H100, batch 16 at 2048: (13.215 + 17.180) GB / 3350 GB/s = 9.073 ms. Counting one
  // token of the cache gives 4.03 ms, reading it twice 14.2 ms.
  CHECK(near(ms(Asked(test::kLlama2_7b, test::h100(), {16, 2047, 2}).answer().decode->bound), 9.073,
             0.001));
  // Llama 3 8B at 131,072 tokens: (15.010 + 17.180) GB / 3350 GB/s = 9.61 ms, not 4.79.
  CHECK(near(ms(Asked(test::kLlama31_8b, test::h100(), {1, 131071, 2}).answer().decode->bound),
             9.61, 0.002));
  // Llama 3 8B at 2048: 4.561 ms; bandwidth taken as 2^30 and rounded up gives 4.186, below the
  // bound.
  CHECK(near(ms(Asked(test::kLlama31_8b, test::h100(), {1, 2047, 2}).answer().decode->bound), 4.561,
             0.001));
  // Batch 32 of it at 2048: 7.045 ms (query heads instead of KV heads: 16.25).
  CHECK(near(ms(Asked(test::kLlama31_8b, test::h100(), {32, 2047, 2}).answer().decode->bound),
             7.045, 0.001));
}

// Llama 3.1 70B on H100: 288.9 ms for 2048 tokens, and it grows with the prompt and with the batch.
TEST_CASE("bounds: TTFT depends on the prompt and on the batch") {
  const auto ttft = [](Workload workload) {
    return ms(Asked(test::kLlama31_70b, test::h100(), workload).answer().prefill.bound);
  };
  CHECK(near(ttft({1, 2048, 1}), 288.9, 0.005));
  CHECK(ttft({1, 4096, 1}) > 2.0 * ttft({1, 2048, 1}));
  CHECK(near(ttft({32, 2048, 1}), 32 * ttft({1, 2048, 1}), 1e-3));
}

TEST_CASE("N output tokens are one prefill and N - 1 decode steps") {
  const Asked asked(test::kLlama2_7b, test::a100(), {4, 100, 33}, "vllm", "fit");
  const Forecast forecast = asked.answer();
  CHECK(forecast.decode_steps == 32);
  CHECK(forecast.ttft == forecast.prefill.predicted);
  CHECK(near(forecast.e2e, forecast.ttft + 32.0 * *forecast.tpot, 1e-12));
  CHECK(near((forecast.e2e - forecast.ttft) / 32.0, *forecast.tpot, 1e-12));
  CHECK(near(forecast.tokens_per_second->value(), 4.0 / forecast.tpot->value(), 1e-12));
  CHECK(
      near(forecast.tokens_per_second_per_sequence->value(), 1.0 / forecast.tpot->value(), 1e-12));
  CHECK(near(forecast.request_tokens_per_second.value(), 4.0 * 33 / forecast.e2e.value(), 1e-12));
  // The i-th decode step attends to prompt + i tokens, itself included.
  StepEvaluator evaluator(asked.model, asked.profile, asked.request.plan, "fit",
                          asked.request.runtime->time);
  Seconds sum{};
  for (std::int64_t i = 1; i <= 32; ++i)
    sum += evaluator.evaluate(decode_step(4, 100 + i)).predicted;
  CHECK(near(forecast.e2e - forecast.ttft, sum, 1e-12));
}

TEST_CASE("one output token is the prefill alone") {
  const Forecast forecast = Asked(test::kLlama2_7b, test::a100(), {1, 100, 1}).answer();
  CHECK(forecast.decode_steps == 0);
  CHECK_FALSE(forecast.decode);
  CHECK_FALSE(forecast.tpot);
  CHECK_FALSE(forecast.tokens_per_second);
  CHECK_FALSE(forecast.tokens_per_second_per_sequence);
  CHECK(forecast.e2e == forecast.ttft);
}

// One millisecond per step of host time: in the prediction of each step, never in its bound.
TEST_CASE("step overhead belongs to the prediction, not to the bound") {
  const auto ask = [](const char* runtime, const char* level) {
    return Asked(test::kLlama2_7b, test::a100(), {1, 100, 11}, runtime, level).answer();
  };
  const Forecast bare = ask("none", "fit");
  const Forecast engine = ask("vllm", "fit");
  CHECK(near(engine.ttft, bare.ttft + seconds(1e-3), 1e-12));
  CHECK(near(*engine.tpot, *bare.tpot + seconds(1e-3), 1e-12));
  CHECK(engine.prefill.bound == bare.prefill.bound);
  CHECK(engine.decode->bound == bare.decode->bound);
  // The datasheet's level is the bound itself, whatever engine runs.
  const Forecast spec = ask("vllm", "spec");
  CHECK(spec.ttft == bare.prefill.bound);
  CHECK(*spec.tpot == bare.decode->bound);
}

// aiconfigurator's measured kernels of Llama 2 7B, FP16, at 2,048 tokens on H100: 6.345 ms per
// decode step. An engine that hides its host time behind them is no faster, so the band of a served
// engine must reach down to them, and not only to its own expectation of 1 ms on top.
TEST_CASE("the band of an engine reaches from hidden host time to several milliseconds") {
  for (const char* runtime : {"vllm", "trtllm", "sglang"}) {
    const Forecast forecast =
        Asked(test::kLlama2_7b, test::h100(), {1, 2047, 2}, runtime, "fit").answer();
    CHECK(ms(forecast.decode->low) < 6.345);
    CHECK(ms(forecast.decode->high) > 6.345 + 2.0);
  }
}

// llama-bench on an A100 SXM 80 GB (XiongjieDai/GPU-Benchmarks-on-LLM-Inference, May 2024), Llama 3
// 8B: Q4_K_M processes 512 tokens at 5,947.64
// tokens/s = 86.085 ms and decodes 4,096 at 125.09 tokens/s = 7.994 ms. The kernels of the
// constants are those of other engines.
TEST_CASE("the band of llama.cpp is that of its own measurements") {
  const auto ask = [](const char* weights, Workload workload, const char* runtime) {
    Asked asked(test::kLlama31_8b, test::a100(), workload, runtime, "fit");
    asked.scheme(weights, "fp16", "fp16");
    return asked.answer();
  };
  const auto holds = [](const PhaseForecast& phase, double measured_ms) {
    return ms(phase.low) <= measured_ms && measured_ms <= ms(phase.high);
  };
  CHECK(holds(ask("q4_k", {1, 512, 1}, "llamacpp").prefill, 86.085));
  CHECK_FALSE(holds(ask("q4_k", {1, 512, 1}, "none").prefill, 86.085));
  CHECK(holds(*ask("q4_k", {1, 1, 4096}, "llamacpp").decode, 7.994));
  const Forecast own = ask("fp16", {1, 1, 512}, "llamacpp");
  const Forecast none = ask("fp16", {1, 1, 512}, "none");
  CHECK(own.decode->predicted == none.decode->predicted);
  CHECK(own.decode_provenance.find("119 runs of llama-bench") != std::string::npos);
  CHECK(own.prefill_provenance.find("119 runs of llama-bench") != std::string::npos);
  CHECK(none.decode_provenance.find("llama-bench") == std::string::npos);
}

TEST_CASE("the bound is below the prediction, which lies in its band") {
  for (const Workload& workload :
       {Workload{1, 128, 16}, Workload{8, 2048, 256}, Workload{256, 16, 2}}) {
    const Forecast forecast =
        Asked(test::kLlama31_8b, test::h100(), workload, "vllm", "best").answer();
    for (const PhaseForecast& phase : {forecast.prefill, *forecast.decode}) {
      CHECK(phase.bound < phase.predicted);
      CHECK(phase.low < phase.predicted);
      CHECK(phase.predicted < phase.high);
      CHECK(phase.limiting_share() > 0.25);
      CHECK(phase.limiting_share() <= 1.0);
    }
    CHECK_FALSE(forecast.prefill_provenance.empty());
    CHECK_FALSE(forecast.decode_provenance.empty());
  }
}

// C p / (2 B) for one format: 989.4e12 x 2 / (2 x 3350e9) = 295.3 on H100, with 4800e9 206.1 on
// H200.
TEST_CASE("critical batch: where multiplying takes as long as reading the weights") {
  Asked h100(test::kLlama31_8b, test::h100(), {1, 128, 2});
  CHECK(near(h100.answer().critical_batch, 295.34, 1e-4));
  HardwareProfile h200 = test::h100();
  h200.memory.bandwidth = BytesPerSecond::from_value(4800e9);
  CHECK(near(Asked(test::kLlama31_8b, h200, {1, 128, 2}).answer().critical_batch, 206.13, 1e-4));
  // 4-bit weights are read in about a quarter of the time and multiplied no faster; the head, 7 %
  // of the weights, keeps 16 bits: 295.3 x (6.9796e9 x 4.25 / 16 + 0.5253e9) / 7.5050e9 at 4.25
  // bits.
  h100.scheme("int4_g128");
  const double narrow = h100.answer().critical_batch;
  CHECK(narrow > 295.34 * (6.9796 * 4.0 / 16 + 0.5253) / 7.5050);
  CHECK(narrow < 295.34 * (6.9796 * 4.5 / 16 + 0.5253) / 7.5050);
}

// W4A16 computes in 16 bits: bytes shrink, the roof does not rise.
TEST_CASE("weight-only quantisation cuts the bytes of a step and not its compute") {
  Asked wide(test::kLlama2_7b, test::h100(), {1, 2047, 2});
  Asked narrow(test::kLlama2_7b, test::h100(), {1, 2047, 2});
  narrow.scheme("int4_g128");
  CHECK(narrow.answer().prefill.ideal_compute == wide.answer().prefill.ideal_compute);
  CHECK(narrow.answer().decode->bound < 0.45 * wide.answer().decode->bound);
}

// 255 steps read contexts of 2,049 to 2,303 tokens, 2,176 in the mean; each token of keys and
// values takes 524,288 B, and 13,214,687,232 B of weights are read in every step.
TEST_CASE("operators: those of the prefill and of the mean decode step add up to their phases") {
  const Asked asked(test::kLlama2_7b, test::a100(), {1, 2048, 256}, "vllm", "fit");
  const Forecast forecast = asked.answer();
  std::array<PhaseForecast, 2> sums;
  for (const OperatorForecast& each : operator_forecasts(asked.request)) {
    const double runs = static_cast<double>(each.op.repeat);
    PhaseForecast& sum = sums[each.phase == Phase::prefill ? 0 : 1];
    sum.predicted += runs * each.predicted;
    sum.work += runs * each.op.work;
    sum.bytes += runs * each.op.bytes();
    sum.activation_traffic += runs * each.op.activations;
    CHECK(each.bound <= each.predicted);
  }
  CHECK(near(sums[1].bytes.value(), 13214687232.0 + 2176 * 524288.0, 1e-12));
  const std::array<PhaseForecast, 2> phases = {forecast.prefill, *forecast.decode};
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(near(sums[i].predicted + seconds(1e-3), phases[i].predicted, 1e-12));
    CHECK(near(sums[i].work, phases[i].work, 1e-12));
    CHECK(near(sums[i].bytes, phases[i].bytes, 1e-12));
    CHECK(near(sums[i].activation_traffic, phases[i].activation_traffic, 1e-12));
  }
}

TEST_CASE("operators: no decode step, no operators of one") {
  const Asked asked(test::kLlama2_7b, test::a100(), {1, 2048, 1});
  for (const OperatorForecast& each : operator_forecasts(asked.request))
    CHECK(each.phase == Phase::prefill);
}

TEST_CASE("warnings: none for a published device, a model that fits and native formats") {
  CHECK(Asked(test::kLlama2_7b, test::a100(), {1, 2048, 256}, "vllm").answer().warnings.empty());
}

// 137,953,296,384 B of weights are 128.48 GiB; 90 % of 79.65 GiB are 71.68 GiB.
TEST_CASE("warnings: what does not fit, and what would help") {
  const Forecast weights = Asked(test::kLlama2_70b, test::h100(), {1, 2048, 256}).answer();
  CHECK(message(weights, WarningKind::does_not_fit) ==
        "needs 129.18 GiB where 71.68 GiB are usable (90 % of 79.65 GiB); weights alone take "
        "128.48 GiB: narrower weights or more memory would help");
  // 71.68 - 12.55 = 59.13 GiB hold 47.3 sequences of 2560 x 512 KiB = 1.25 GiB.
  const Forecast batch = Asked(test::kLlama2_7b, test::h100(), {64, 2304, 256}).answer();
  CHECK(message(batch, WarningKind::does_not_fit) ==
        "needs 92.55 GiB where 71.68 GiB are usable (90 % of 79.65 GiB); a batch of 47 would fit "
        "at this context");
}

TEST_CASE("warnings: a context that the model was not made for") {
  const Forecast forecast = Asked(test::kLlama2_7b, test::h100(), {1, 8000, 192}).answer();
  CHECK(message(forecast, WarningKind::context_beyond_model) ==
        "8,192 tokens of context are more than the 4,096 that llama-2-7b was made for: it may run, "
        "but its answers degrade");
  CHECK(find(Asked(test::kLlama2_7b, test::h100(), {1, 4000, 96}).answer(),
             WarningKind::context_beyond_model) == nullptr);
}

TEST_CASE("warnings: a path that the device does not have") {
  Asked asked(test::kLlama2_7b, test::a100(), {1, 128, 2});
  asked.scheme("fp8_e4m3", "fp8_e4m3");
  const Forecast forecast = asked.answer();
  CHECK(message(forecast, WarningKind::compute_path_missing) ==
        "nvidia-a100-sxm4-80gb has no native path for products of fp8_e4m3 weights and fp8_e4m3 "
        "activations: they run on bf16_tensor at 312 TFLOP/s, the fastest that holds their values");
  // Weight-only FP8 asks for no narrow path.
  asked.scheme("fp8_e4m3");
  CHECK(find(asked.answer(), WarningKind::compute_path_missing) == nullptr);
}

// One decode step of Llama 2 7B at 2,048 tokens moves 14,288,429,056 B, which are 13.31 GiB.
TEST_CASE("warnings: weights that may stay in the last-level cache") {
  HardwareProfile profile = test::a100();
  profile.memory.l2 = bytes(14288429056.0 + 1.0);
  CHECK(
      message(Asked(test::kLlama2_7b, profile, {1, 2047, 2}).answer(),
              WarningKind::cache_resident) ==
      "a decode step moves 13.31 GiB and the last-level cache holds 13.31 GiB: weights can stay in "
      "the cache from step to step, so that decoding may beat the bound of the memory");
  CHECK(find(Asked(test::kLlama2_7b, profile, {1, 2047, 1}).answer(),
             WarningKind::cache_resident) == nullptr);
  profile.memory.l2 = bytes(14288429056.0);
  CHECK(find(Asked(test::kLlama2_7b, profile, {1, 2047, 2}).answer(),
             WarningKind::cache_resident) == nullptr);
}

TEST_CASE("warnings: how far the profile can be trusted") {
  HardwareProfile profile = test::a100();
  profile.status = ProfileStatus::announced;
  CHECK(message(Asked(test::kLlama2_7b, profile, {1, 128, 2}).answer(),
                WarningKind::profile_not_published) ==
        "nvidia-a100-sxm4-80gb: it is announced and not shipped; its figures may change");
  profile.memory.capacity.reset();
  const Forecast forecast = Asked(test::kLlama2_7b, profile, {1, 128, 2}).answer();
  CHECK(message(forecast, WarningKind::capacity_unknown) ==
        "nvidia-a100-sxm4-80gb states no memory size, because the host decides it: what fits is "
        "unknown; a copy of the profile with memory.capacity would tell");
  CHECK(find(forecast, WarningKind::does_not_fit) == nullptr);
}

TEST_CASE("warnings: every kind has a name of its own") {
  std::vector<std::string_view> names;
  for (const WarningKind kind :
       {WarningKind::compute_path_missing, WarningKind::context_beyond_model,
        WarningKind::does_not_fit, WarningKind::capacity_unknown, WarningKind::nearest_constants,
        WarningKind::cache_resident, WarningKind::profile_not_published,
        WarningKind::weights_narrowed})
    names.push_back(name(kind));
  CHECK(names == std::vector<std::string_view>{"compute_path_missing", "context_beyond_model",
                                               "does_not_fit", "capacity_unknown",
                                               "nearest_constants", "cache_resident",
                                               "profile_not_published", "weights_narrowed"});
}

TEST_CASE("workloads outside their limits are refused") {
  const auto ask = [](Workload workload) {
    return Asked(test::kLlama2_7b, test::a100(), workload).answer();
  };
  CHECK_THROWS_WITH_AS(ask({0, 1, 1}), "batch must be from 1 to 16777216, got 0", ConfigError);
  CHECK_THROWS_WITH_AS(ask({1, -5, 1}), "prompt must be from 1 to 1073741824, got -5", ConfigError);
  CHECK_THROWS_WITH_AS(ask({1, 1, 0}), "output must be from 1 to 1073741824, got 0", ConfigError);
  CHECK_THROWS_AS(ask({1, 1'000'000'000'000'000'000, 1}), ConfigError);
  CHECK_THROWS_WITH_AS(ask({1, kMaxTokens, 1}),
                       "prompt + output must be from 1 to 1073741824, got 1073741825", ConfigError);
  ModelCard card = test::card(test::kLlama2_7b);
  card.family = "gpt2";
  card.position_rows = 1024;
  card.context = 1024;
  CHECK_THROWS_AS(static_cast<void>(Asked(build_model(card), test::a100(), {1, 1024, 1}).answer()),
                  ConfigError);
  CHECK(Asked(build_model(card), test::a100(), {1, 1000, 24}).answer().e2e > Seconds{});
}
