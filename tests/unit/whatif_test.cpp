#include "roofcast/plan/whatif.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/plan/knee.hpp"
#include "roofcast/report/attribution.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

/// Llama 2 7B on an A100 at the datasheet's rates, without an engine: what can be added up by hand.
Scenario llama_on_a100() {
  Scenario scenario;
  scenario.model = std::make_shared<const Model>(test::model(test::kLlama2_7b));
  scenario.profile = std::make_shared<const HardwareProfile>(test::a100());
  scenario.workload = {.batch = 1, .prompt = 2048, .output = 2};
  scenario.runtime = &find_runtime("none");
  scenario.level = "spec";
  return scenario;
}

HardwareProfile find_device(const std::string& name) {
  if (name == "h100")
    return test::h100();
  if (name == "no-peaks")
    return test::device(bytes(80e9), name);
  throw UsageError("unknown device '" + name + "'");
}

WhatIf answer(const Scenario& base, const std::vector<std::string>& texts,
              Metric metric = Metric::tpot) {
  std::vector<Change> changes;
  for (const std::string& text : texts)
    changes.push_back(parse_change(text));
  return what_if(base, changes, metric, find_device);
}

template <class Run>
std::string problem_of(Run run) {
  try {
    run();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no problem";
}

constexpr double kMatrixParameters = 6'476'005'376;  // 32 x (4 x 4096^2 + 3 x 4096 x 11008)
constexpr double kBandwidth = 2039e9;                // A100 80 GB datasheet

}  // namespace

TEST_CASE("what if: weights of INT8 and INT4 save what their bytes say, term by term") {
  const WhatIf result = answer(llama_on_a100(), {"weights=int8", "weights=int4_g128"});
  // All operators of a decode step at batch 1 are limited by memory. INT8 reads one byte less per
  // parameter: 6,476,005,376 B / 2,039 GB/s = 3.1761 ms.
  const TimeTerms& int8 = *result.variations[0].decode_change;
  CHECK(test::near(int8.weights, seconds(-kMatrixParameters / kBandwidth), 1e-12));
  CHECK(int8.scales == seconds(0.0));
  // INT4 reads 1.5 bytes less, and an FP16 scale per 128: 101,187,584 B = 0.0496 ms.
  const TimeTerms& int4 = *result.variations[1].decode_change;
  CHECK(test::near(int4.weights, seconds(-1.5 * kMatrixParameters / kBandwidth), 1e-12));
  CHECK(test::near(int4.scales, seconds(kMatrixParameters / 64.0 / kBandwidth), 1e-12));
  for (const Variation& each : result.variations) {
    CHECK(each.decode_change->kv == seconds(0.0));
    CHECK(each.decode_change->overhead == seconds(0.0));
    CHECK(each.decode_change->network == seconds(0.0));
    CHECK(each.memory_change.kv_cache == bytes(0.0));
  }
  CHECK(result.variations[0].memory_change.weights == bytes(-kMatrixParameters));
  CHECK(result.variations[1].memory_change.weights ==
        bytes(-kMatrixParameters * (1.5 - 1.0 / 64.0)));
  CHECK(result.variations[1].memory_change.total == result.variations[1].memory_change.weights);
}

TEST_CASE("what if: the causes add up to the change, in both phases and in memory") {
  for (const char* level : {"spec", "best"}) {
    for (const char* runtime : {"none", "vllm"}) {
      Scenario base = llama_on_a100();
      base.level = level;
      base.runtime = &find_runtime(runtime);
      base.workload.output = 200;
      const WhatIf result = answer(
          base, {"weights=int8", "weights=fp8,activations=fp8", "weights=int4_g128,batch=64",
                 "batch=512", "kv=fp8", "gpu=h100", "prompt=100", "output=2", "runtime=sglang",
                 "head=int8", "embedding=int8", "weights=nf4,kv=int8,gpu=h100,batch=7"});
      for (const Variation& each : result.variations) {
        INFO(level << " " << runtime << " " << each.change.text);
        REQUIRE(each.forecast);
        const Forecast& changed = *each.forecast;
        // Sums of the same doubles in another order: equal to rounding of the larger time.
        const Seconds prefill = changed.prefill.predicted - result.base.prefill.predicted;
        const Seconds most = std::max(changed.prefill.predicted, result.base.prefill.predicted);
        CHECK(test::within(each.prefill_change.total() / most, prefill / most, 1e-14));
        const Seconds decode = *changed.tpot - *result.base.tpot;
        const Seconds slower = std::max(*changed.tpot, *result.base.tpot);
        CHECK(test::within(each.decode_change->total() / slower, decode / slower, 1e-14));
        const MemoryChange& memory = each.memory_change;
        CHECK(memory.total == changed.memory.total - result.base.memory.total);
        CHECK(memory.weights + memory.kv_cache + memory.state + memory.activations +
                  memory.runtime ==
              memory.total);
      }
    }
  }
}

TEST_CASE("what if: gain is how many times better, by each metric") {
  const WhatIf by_tpot = answer(llama_on_a100(), {"batch=4", "weights=int8"});
  const Forecast& base = by_tpot.base;
  const Forecast& changed = *by_tpot.variations[0].forecast;
  CHECK(test::near(*by_tpot.variations[0].gain, *base.tpot / *changed.tpot, 1e-15));
  CHECK(*by_tpot.variations[0].gain < 1.0);  // a larger batch takes longer per step,
  const auto gain = [&](Metric metric) {
    return *answer(llama_on_a100(), {"batch=4"}, metric).variations[0].gain;
  };
  CHECK(gain(Metric::tokens_per_second) > 1.0);  // brings more tokens per second,
  CHECK(gain(Metric::memory) < 1.0);             // needs more memory
  CHECK(gain(Metric::ttft) < 1.0);               // and a longer prefill
  CHECK(gain(Metric::e2e) < 1.0);
  CHECK(test::near(gain(Metric::tokens_per_second), 4.0 * (*base.tpot / *changed.tpot), 1e-14));
}

TEST_CASE("what if: the best comes first, what cannot be last with its reason") {
  WhatIf result =
      answer(llama_on_a100(), {"batch=4", "gpu=no-peaks", "weights=int4_g128", "weights=int8"});
  sort_by_gain(result);
  std::vector<std::string> order;
  for (const Variation& each : result.variations)
    order.push_back(each.change.text);
  CHECK(order ==
        std::vector<std::string>{"weights=int4_g128", "weights=int8", "batch=4", "gpu=no-peaks"});
  const Variation& last = result.variations.back();
  CHECK_FALSE(last.forecast);
  CHECK_FALSE(last.gain);
  CHECK(last.problem.starts_with("no-peaks states no peak"));
}

TEST_CASE("what if: one output token has a prefill to compare and no decode") {
  Scenario base = llama_on_a100();
  base.workload.output = 1;
  const WhatIf result = answer(base, {"weights=int8", "output=2"}, Metric::ttft);
  for (const Variation& each : result.variations) {
    CHECK_FALSE(each.decode_change);
    CHECK(each.gain);
  }
  CHECK_FALSE(answer(base, {"output=2"}, Metric::tpot).variations[0].gain);
}

TEST_CASE("what if: attribution names the terms that either side has") {
  TimeTerms base;
  base.weights = seconds(12.8e-3);
  base.kv = seconds(1e-3);
  base.overhead = seconds(0.2e-3);
  TimeTerms changed = base;
  changed.weights = seconds(6.4e-3);
  changed.scales = seconds(0.3e-3);
  changed.overhead = seconds(0.3e-3);
  // Three digits of the base, 14.0 ms, so tenths of a millisecond; KV, which stays, is no cause.
  const ChangeUnit unit = change_unit(base.total());
  CHECK(unit.text == "ms");
  const ChangeText time = change_text(changed, base, unit);
  CHECK(time.parts == "weights -6.4, scales +0.3, overhead +0.1");
  CHECK(time.whole == "-6.0");
  CHECK(change_text(base, base, unit).parts == "");
  MemoryForecast before;
  before.weights = bytes(2.0 * 1073741824.0);
  before.kv_cache = bytes(1048576.0);
  before.total = before.weights + before.kv_cache;
  MemoryForecast after = before;
  after.weights = bytes(0.5 * 1073741824.0);
  after.runtime = bytes(1073741824.0);
  const ChangeText memory = change_text(after, before, change_unit(before.total));
  CHECK(memory.parts == "weights -1.50, runtime +1.00");
  CHECK(memory.whole == "-0.50");
}

TEST_CASE("what if: the causes that are printed add up to the change that is printed") {
  // 3 x 0.333 ms = 0.999 ms is 1.0 to the tenth, but 0.3 three times is 0.9: the first is raised.
  TimeTerms base;
  base.compute = seconds(46.1e-3);
  TimeTerms changed = base;
  changed.weights = seconds(0.333e-3);
  changed.kv = seconds(0.333e-3);
  changed.overhead = seconds(0.333e-3);
  const ChangeText text = change_text(changed, base, change_unit(base.total()));
  CHECK(text.whole == "+1.0");
  CHECK(text.parts == "weights +0.4, KV +0.3, overhead +0.3");
  // The sum is -9.45, so -9. Floors 4, -15, 0, -1 make -12; the remainders 0.84, 0.74, 0.46, 0.51
  // give the three missing to the first, the second and the fourth.
  CHECK(round_to_sum({4.84, -14.26, 0.46, -0.49}) == std::vector<double>{5, -14, 0, 0});
  CHECK(round_to_sum({}).empty());
}

TEST_CASE("what if: rounded parts stay within one of their own and add up, for any parts") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-50.0, 50.0);
  for (int i = 0; i < 500; ++i) {
    std::vector<double> parts(7);
    double sum = 0;
    for (double& part : parts)
      sum += part = any(random);
    const std::vector<double> rounded = round_to_sum(parts);
    double rounded_sum = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      CHECK(std::fabs(rounded[k] - parts[k]) < 1.0);
      CHECK(rounded[k] == std::round(rounded[k]));
      rounded_sum += rounded[k];
    }
    CHECK(rounded_sum == std::round(sum));
  }
}

TEST_CASE("change: settings reach the scenario, the rest stays") {
  const Scenario base = llama_on_a100();
  const Scenario changed =
      apply(parse_change("weights=fp8,kv=fp8,batch=8,prompt=10,output=20,gpu=h100,"
                         "memory-fraction=0.5,runtime=vllm,head=int8,embedding=bf16"),
            base, find_device);
  CHECK(changed.precision.weights == "fp8");
  CHECK(changed.precision.activations == "auto");
  CHECK(changed.precision.kv == "fp8");
  CHECK(changed.precision.head == "int8");
  CHECK(changed.precision.embedding == "bf16");
  CHECK(changed.workload.batch == 8);
  CHECK(changed.workload.prompt == 10);
  CHECK(changed.workload.output == 20);
  CHECK(changed.profile->name == "nvidia-h100-sxm5-80gb");
  CHECK(changed.memory_fraction == 0.5);
  CHECK(changed.runtime->name == "vllm");
  CHECK(changed.model == base.model);
  CHECK(changed.level == "spec");
  CHECK(base.precision.weights == "auto");
}

TEST_CASE("change: bad ones get one whole message") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "--change '': '' is not KEY=VALUE; write for example weights=fp8"},
      {"weights", "--change 'weights': 'weights' is not KEY=VALUE; write for example weights=fp8"},
      {"=fp8", "--change '=fp8': '=fp8' is not KEY=VALUE; write for example weights=fp8"},
      {"batch=2,", "--change 'batch=2,': '' is not KEY=VALUE; write for example weights=fp8"},
      {"weight=fp8", "--change 'weight=fp8': unknown key 'weight'; did you mean 'weights'?"},
      {"zzz=1",
       "--change 'zzz=1': unknown key 'zzz'; the keys are weights, activations, kv, "
       "embedding, head, batch, prompt, output, gpu, memory-fraction, runtime"},
      {"weights=", "--change 'weights=': 'weights' has no value"},
      {"kv=fp8,kv=int8", "--change 'kv=fp8,kv=int8': sets 'kv' twice"},
      {"batch=0", "--change 'batch=0': batch must be from 1 to 16,777,216"},
      {"batch=-1", "--change 'batch=-1': '-1' must not be negative"},
      {"prompt=1000000000000000000",
       "--change 'prompt=1000000000000000000': '1000000000000000000' must be at most 2^53"},
      {"memory-fraction=0.001",
       "--change 'memory-fraction=0.001': memory-fraction must be from 0.01 to 1"},
      {"memory-fraction=nan", "--change 'memory-fraction=nan': 'nan' is not a decimal number"},
  };
  for (const auto& each : cases) {
    CHECK(problem_of([&] { apply(parse_change(each.first), llama_on_a100(), find_device); }) ==
          each.second);
  }
  CHECK(problem_of([] { parse_metric("tpott"); }) ==
        "--by: unknown metric 'tpott'; did you mean 'tpot'?");
  CHECK(problem_of([] { parse_metric("zzz"); }) ==
        "--by: unknown metric 'zzz'; the metrics are ttft, tpot, e2e, tokens_per_second, memory");
}

TEST_CASE("schemes: each can be planned, none is the base, FP4 is marked where it is not native") {
  const Scenario base = llama_on_a100();
  std::vector<Change> changes = scheme_changes(base);
  CHECK(changes.size() >= 12);
  for (const Change& change : changes)
    CHECK(change.text != "weights=auto");
  const WhatIf result = what_if(base, changes, Metric::tpot, find_device);
  const auto warned = [&result](std::string_view text) {
    for (const Variation& each : result.variations) {
      if (each.change.text != text)
        continue;
      for (const Warning& warning : each.forecast->warnings) {
        if (warning.kind == WarningKind::compute_path_missing)
          return true;
      }
    }
    return false;
  };
  CHECK(warned("weights=nvfp4,activations=nvfp4"));
  CHECK(warned("weights=fp8,activations=fp8"));
  CHECK_FALSE(warned("weights=int8,activations=int8"));
  CHECK_FALSE(warned("weights=int4_g128"));

  Scenario quantised = base;
  quantised.precision = {.weights = "fp8", .activations = "fp8"};
  changes = scheme_changes(quantised);
  CHECK(changes.front().text == "weights=auto,activations=auto");
  for (const Change& change : changes) {
    // Activations do not silently stay at the base's 8 bits under another scheme.
    CHECK(change.text.find("activations=") != std::string::npos);
    CHECK(change.text != "weights=fp8,activations=fp8");
  }
}

TEST_CASE("knee: where the sequences take as long as the weights") {
  // T = w + k b at the datasheet's bandwidth. Weights read per step: 6,476,005,376 in the layers,
  // 131,072,000 in the head and 266,240 in norms, two bytes each: 13,214,687,232 B. KV of 2,049
  // tokens: 2,049 x 524,288 B = 1,074,266,112 B per sequence; a row of the embedding (8,192 B) is
  // nothing beside it. w / k = 12.30. Between b and b + 1 the power is even at sqrt(b (b + 1)),
  // 12.49 for 12 and 13, so 12 it is.
  const Scenario base = llama_on_a100();
  const Knee knee = find_knee(base.request(), 64);
  CHECK(knee.batch == 12);
  CHECK_FALSE(knee.at_limit);
  // Memory that ends before the knee is what limits.
  const Knee limited = find_knee(base.request(), 8);
  CHECK(limited.batch == 8);
  CHECK(limited.at_limit);
  CHECK(find_knee(base.request(), 1).batch == 1);
  CHECK(find_knee(base.request(), 1).at_limit);
  // INT8 weights take half the time to read, so the knee comes at half the batch.
  Scenario quantised = base;
  quantised.precision.weights = "int8";
  quantised.precision.head = "int8";
  CHECK(find_knee(quantised.request(), 64).batch == 6);
}

TEST_CASE("knee: bisection finds the maximum that trying every batch finds") {
  for (const char* level : {"spec", "best"}) {
    for (const auto& [shape, limit] :
         {std::pair{test::kLlama31_8b, 700}, std::pair{test::kQwen3_06b, 1500}}) {
      for (const std::int64_t prompt : {128, 4096}) {
        Scenario scenario = llama_on_a100();
        scenario.model = std::make_shared<const Model>(test::model(shape));
        scenario.level = level;
        scenario.workload = {.batch = 1, .prompt = prompt, .output = 64};
        StepEvaluator steps(*scenario.model, *scenario.profile, scenario.request().plan, level,
                            scenario.runtime->time);
        std::int64_t best = 0;
        double most = 0;
        for (std::int64_t batch = 1; batch <= limit; ++batch) {
          const double tpot = steps.decode_sum(batch, prompt + 1, 63).predicted.value() / 63.0;
          const double power = static_cast<double>(batch) / (tpot * tpot);
          if (power > most) {
            most = power;
            best = batch;
          }
        }
        CHECK(find_knee(scenario.request(), limit).batch == best);
      }
    }
  }
}

TEST_CASE("batches: powers of two, the limit and the knee, ascending, once each") {
  const auto texts = [](std::int64_t limit, std::optional<std::int64_t> knee) {
    std::string joined;
    for (const Change& change : batch_changes(limit, knee))
      joined += change.text.substr(6) + " ";
    return joined;
  };
  CHECK(texts(45, 12) == "1 2 4 8 12 16 32 45 ");
  CHECK(texts(8, 8) == "1 2 4 8 ");
  CHECK(texts(1, std::nullopt) == "1 ");
  CHECK(texts(0, std::nullopt) == "");
}

}  // namespace roofcast
