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

/// Where the constants of a phase come from: each text once, the one behind most of the time first,
/// and the engine's own band last.
std::string phase_provenance(const CostModel& cost, const std::vector<OperatorMean>& operators,
                             const std::optional<EngineBand>& band) {
  std::vector<std::pair<Seconds, std::string>> sources;
  for (const OperatorMean& each : operators) {
    const Seconds time = static_cast<double>(each.op.repeat) * each.predicted();
    const std::string text = cost.provenance(each.op);
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
  if (band && !cost.is_bound()) {
    joined += fmt::format("; band widened to {:.2f} to {:.2f} of the prediction, {} runs of {}",
                          band->band.low, band->band.high, band->measurements, band->source);
  }
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
  out.decode_provenance = phase_provenance(
      evaluator.cost(), evaluator.decode_operators(workload.batch, first, out.decode_steps),
      out.request.runtime->time.decode);
}

std::vector<Warning> all_warnings(const Forecast& out, const CostModel& cost) {
  const ForecastRequest& request = out.request;
  std::vector<Warning> warnings =
      memory_warnings(*request.model, memory_request(request), out.memory, request.profile);
  const auto append = [&](std::vector<Warning> more) {
    std::move(more.begin(), more.end(), std::back_inserter(warnings));
  };
  append(precision_warnings(*request.model, request.plan));
  append(path_warnings(*request.profile, request.plan));
  if (out.decode)
    append(cache_warnings(*request.profile, out.decode->bytes));
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

void append_operators(Phase phase, const std::vector<OperatorMean>& operators,
                      std::vector<OperatorForecast>& out) {
  for (const OperatorMean& each : operators) {
    out.push_back({.phase = phase,
                   .op = each.op,
                   .bound = each.bound,
                   .predicted = each.predicted(),
                   .limited_by = each.cost.limited_by()});
  }
}

StepEvaluator evaluator_of(const ForecastRequest& request) {
  return {*request.model, *request.profile, request.plan, request.level, request.runtime->time};
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
  out.prefill_provenance = phase_provenance(evaluator.cost(), evaluator.step_operators(prefill),
                                            request.runtime->time.prefill);
  out.ttft = out.prefill.predicted;
  fill_decode(evaluator, out);
  const double produced =
      static_cast<double>(workload.batch) * static_cast<double>(workload.output);
  out.request_tokens_per_second = tokens(produced) / out.e2e;
  out.critical_batch = critical_batch(evaluator, *request.profile);
  out.warnings = all_warnings(out, evaluator.cost());
  return out;
}

std::vector<OperatorForecast> operator_forecasts(const ForecastRequest& request) {
  check(request);
  const auto [batch, prompt, output] = request.workload;
  StepEvaluator evaluator = evaluator_of(request);
  std::vector<OperatorForecast> out;
  append_operators(Phase::prefill, evaluator.step_operators(prefill_step(batch, prompt)), out);
  if (output > 1) {
    append_operators(Phase::decode, evaluator.decode_operators(batch, prompt + 1, output - 1), out);
  }
  return out;
}

}  // namespace roofcast
