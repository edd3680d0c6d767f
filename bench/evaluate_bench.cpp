#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/forecast.hpp"
#include "roofcast/predict/phase.hpp"

#include <benchmark/benchmark.h>

namespace roofcast {
namespace {

/// Model, device and scheme are fixed; batch and context vary, as they do inside a sweep.
struct Fixed {
  Catalogue catalogue;
  Model model = catalogue.model("llama-2-7b");
  HardwareProfile device = catalogue.hardware("nvidia-h100-sxm5-80gb");
  PrecisionPlan plan = plan_precision(model.card, {});
};

void decode_step_evaluations(benchmark::State& state) {
  const Fixed fixed;
  StepEvaluator evaluator(fixed.model, fixed.device, fixed.plan, "best");
  std::int64_t i = 0;
  for (auto _ : state) {
    ++i;
    benchmark::DoNotOptimize(evaluator.evaluate(decode_step(1 + i % 256, 1 + i % 4096)));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(decode_step_evaluations);

void decode_sums(benchmark::State& state) {
  const Fixed fixed;
  StepEvaluator evaluator(fixed.model, fixed.device, fixed.plan, "best");
  std::int64_t i = 0;
  for (auto _ : state) {
    ++i;
    benchmark::DoNotOptimize(evaluator.decode_sum(1 + i % 256, 1 + i % 4096, 255));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(decode_sums);

void whole_forecasts(benchmark::State& state) {
  const Fixed fixed;
  ForecastRequest request;
  request.model = &fixed.model;
  request.profile = &fixed.device;
  request.plan = fixed.plan;
  request.runtime = &find_runtime("vllm");
  for (auto _ : state) {
    request.workload.batch = 1 + request.workload.batch % 256;
    benchmark::DoNotOptimize(forecast(request));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(whole_forecasts);

}  // namespace
}  // namespace roofcast
