#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/plan/row_evaluator.hpp"
#include "roofcast/plan/sweep.hpp"

#include <benchmark/benchmark.h>

namespace roofcast {
namespace {

std::vector<std::int64_t> steps_of(std::int64_t step, std::int64_t count) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 1; i <= count; ++i)
    values.push_back(i * step);
  return values;
}

/// One model, device and scheme; `batches` x `prompts` x `outputs` configurations.
SweepSpace space(std::int64_t batches, std::int64_t prompts, std::int64_t outputs) {
  const Catalogue catalogue;
  SweepAxes axes;
  axes.models = {catalogue.model("llama-3.1-8b")};
  axes.devices = {catalogue.hardware("nvidia-h100-sxm5-80gb")};
  axes.runtimes = {&find_runtime("vllm")};
  axes.batches = steps_of(1, batches);
  axes.prompts = steps_of(64, prompts);
  axes.outputs = steps_of(10, outputs);
  return {std::move(axes), {}};
}

/// Configurations per second in the inner loop, on one core. The arguments are the axes: where
/// batch or output stands still, less is shared between neighbours.
void sweep_rows(benchmark::State& state) {
  const SweepSpace all = space(state.range(0), state.range(1), state.range(2));
  RowEvaluator rows(all);
  SweepRow row;
  std::int64_t index = 0;
  for (auto _ : state) {
    rows.evaluate(index, row);
    benchmark::DoNotOptimize(row);
    index = index + 1 == all.size() ? 0 : index + 1;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sweep_rows)->Args({100, 100, 100})->Args({1, 1000, 1000})->Args({1000, 1000, 1});

/// Whole sweeps of 200,000 configurations for their ten best rows; the argument is the number of
/// threads.
void sweep_top(benchmark::State& state) {
  const SweepSpace all = space(100, 100, 20);
  SweepRequest request;
  request.range = {0, all.size()};
  request.threads = static_cast<std::size_t>(state.range(0));
  request.where = {parse_condition("fits", all.text_values())};
  request.top = {10, parse_ordering("--by", "tokens_per_second")};
  for (auto _ : state) {
    benchmark::DoNotOptimize(sweep(all, request, [](const SweepRow&) {}));
  }
  state.SetItemsProcessed(state.iterations() * all.size());
}
BENCHMARK(sweep_top)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roofcast
