#include "roofcast/predict/forecast.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace roofcast {
namespace {

void check(const ForecastRequest& request) {
  ROOFCAST_CHECK(request.model != nullptr && request.profile != nullptr &&
                 request.runtime != nullptr);
  const Workload& workload = request.workload;
  const auto positive = [](std::string_view what, std::int64_t value, std::int64_t limit) {
    if (value >= 1 && value <= limit)
      return;
    throw ConfigError(fmt::format("{} must be from 1 to {}, got {}", what, limit, value));
  };
  positive("batch", workload.batch, kMaxSequences);
  positive("prompt", workload.prompt, kMaxTokens);
  positive("output", workload.output, kMaxTokens);
  positive("prompt + output", workload.prompt + workload.output, kMaxTokens);
}

MemoryRequest memory_request(const ForecastRequest& request) {
  const Workload& workload = request.workload;
  return {.batch = workload.batch,
          .context = workload.prompt + workload.output,
          .prompt = workload.prompt,
          .kv_block = request.kv_block,
          .memory_fraction = request.memory_fraction};
}

/// Where the constants of a step come from: each text once, the one behind most of the time first.
std::string phase_provenance(StepEvaluator& evaluator, const Step& step) {
  std::vector<std::pair<Seconds, std::string>> sources;
  for (const Operator& op : evaluator.operators(step)) {
    const Seconds time = static_cast<double>(op.repeat) * evaluator.cost().terms(op).total();
    const std::string text = evaluator.cost().provenance(op);
    const auto known = std::find_if(sources.begin(), sources.end(),
                                    [&](const auto& source) { return source.second == text; });
    if (known == sources.end()) {
      sources.emplace_back(time, text);
    } else {
      known->first += time;
    }
  }
  std::stable_sort(sources.begin(), sources.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string joined;
  for (const auto& source : sources)
    joined.append(joined.empty() ? "" : "; ").append(source.second);
  return joined;
}

void fill_decode(StepEvaluator& evaluator, Forecast& out) {
  const Workload& workload = out.request.workload;
  out.decode_steps = workload.output - 1;
  out.e2e = out.ttft;
  if (out.decode_steps == 0)
    return;
  const std::int64_t first = workload.prompt + 1;
  const double mean = 1.0 / static_cast<double>(out.decode_steps);
  PhaseForecast decode = evaluator.decode_sum(workload.batch, first, out.decode_steps);
  out.e2e += decode.predicted;
  decode *= mean;
  out.tpot = decode.predicted;
  out.tokens_per_second_per_sequence = tokens(1.0) / *out.tpot;
  out.tokens_per_second = tokens(workload.batch) / *out.tpot;
  out.decode = decode;
  out.decode_provenance =
      phase_provenance(evaluator, decode_step(workload.batch, first + out.decode_steps / 2));
}

std::vector<Warning> all_warnings(const Forecast& out, const CostModel& cost) {
  const ForecastRequest& request = out.request;
  std::vector<Warning> warnings =
      memory_warnings(*request.model, memory_request(request), out.memory, request.profile);
  const auto append = [&](std::vector<Warning> more) {
    std::move(more.begin(), more.end(), std::back_inserter(warnings));
  };
  append(path_warnings(*request.profile, request.plan));
  if (cost.nearest_constants()) {
    warnings.push_back({WarningKind::nearest_constants,
                        fmt::format("no constants are fitted for '{}': those of the nearest "
                                    "architecture stand in, with a wider band; level spec gives "
                                    "the bound, which needs none",
                                    request.profile->architecture)});
  }
  append(profile_warnings(*request.profile));
  return warnings;
}

void append_operators(StepEvaluator& evaluator, const Step& step,
                      std::vector<OperatorForecast>& out) {
  for (const Operator& op : evaluator.operators(step)) {
    const CostTerms cost = evaluator.cost().terms(op);
    out.push_back({.phase = step.phase,
                   .op = op,
                   .bound = evaluator.bound(op),
                   .predicted = cost.total(),
                   .limited_by = cost.limited_by()});
  }
}

StepEvaluator evaluator_of(const ForecastRequest& request) {
  return {*request.model, *request.profile, request.plan, request.level,
          request.runtime->step_overhead};
}

}  // namespace

double critical_batch(StepEvaluator& evaluator, const HardwareProfile& profile) {
  Seconds compute{};
  Seconds reading{};
  for (const Operator& op : evaluator.operators(decode_step(1, 1))) {
    if (op.kind != OperatorKind::gemm)
      continue;
    const double runs = static_cast<double>(op.repeat);
    compute += runs * (op.work / *profile.peak(op.path));
    reading += runs * ((op.weights + op.scales) / profile.memory.bandwidth);
  }
  return reading / compute;
}

Forecast forecast(const ForecastRequest& request) {
  check(request);
  const Workload& workload = request.workload;
  Forecast out;
  out.request = request;
  out.parameters = count_parameters(*request.model);
  out.memory = forecast_memory(*request.model, request.plan, *request.runtime,
                               memory_request(request), request.profile);
  StepEvaluator evaluator = evaluator_of(request);
  const Step prefill = prefill_step(workload.batch, workload.prompt);
  out.prefill = evaluator.evaluate(prefill);
  out.prefill_provenance = phase_provenance(evaluator, prefill);
  out.ttft = out.prefill.predicted;
  fill_decode(evaluator, out);
  const double produced =
      static_cast<double>(workload.batch) * static_cast<double>(workload.output);
  out.request_tokens_per_second = tokens(produced) / out.e2e;
  out.critical_batch = critical_batch(evaluator, *request.profile);
  out.warnings = all_warnings(out, evaluator.cost());
  return out;
}

std::vector<OperatorForecast> operator_forecasts(const ForecastRequest& request,
                                                 std::int64_t decode_context) {
  check(request);
  StepEvaluator evaluator = evaluator_of(request);
  std::vector<OperatorForecast> out;
  append_operators(evaluator, prefill_step(request.workload.batch, request.workload.prompt), out);
  append_operators(evaluator, decode_step(request.workload.batch, decode_context), out);
  return out;
}

}  // namespace roofcast
