// TTFT, TPOT, E2E, rates and the critical batch: docs/model.md Eq. 15 to 18 and 21.
#include "roofcast/predict/explain/draft.hpp"
#include "roofcast/predict/explain/stage.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/format_precise.hpp"

#include <array>

#include <fmt/format.h>

namespace roofcast::explaining {
namespace {

constexpr int kTtft = 15;
constexpr int kTpot = 16;
constexpr int kE2e = 17;
constexpr int kRates = 18;
constexpr int kCriticalBatch = 21;

Explanation no_decode(Draft draft) {
  return draft.line("one output token comes from the prefill: there is no decode step")
      .is_text("none");
}

Explanation explain_ttft(const Subject& subject) {
  const std::string time = format_precise(subject.forecast.prefill.predicted);
  return Draft(kTtft, "time to first token, nothing queued", "TTFT = T_prefill")
      .symbol("T_prefill", "predicted time of the prefill", time, "Eq. 12")
      .line(time)
      .is(subject.forecast.ttft);
}

Explanation explain_tpot(const Subject& subject) {
  const Forecast& forecast = subject.forecast;
  Draft draft(kTpot, "time per output token after the first", "TPOT = (E2E - TTFT) / (o - 1)");
  draft.symbol("E2E", "time to the last token", format_precise(forecast.e2e), "Eq. 17")
      .symbol("TTFT", "time to first token", format_precise(forecast.ttft), "Eq. 15")
      .symbol("o", "output tokens of a sequence", format_count(subject.workload.output),
              std::string(kAsked));
  if (!forecast.tpot)
    return no_decode(draft);
  const std::string steps = format_precise(Seconds(forecast.e2e - forecast.ttft));
  return draft
      .line(fmt::format("{} - {} = {}", format_precise(forecast.e2e), format_precise(forecast.ttft),
                        steps))
      .line(fmt::format("{} / ({} - 1)", steps, format_count(subject.workload.output)))
      .is(*forecast.tpot);
}

Explanation explain_e2e(const Subject& subject) {
  const Forecast& forecast = subject.forecast;
  Draft draft(kE2e, "time to the last token", "E2E = TTFT + (o - 1) · T_decode");
  draft.symbol("TTFT", "time to first token", format_precise(forecast.ttft), "Eq. 15")
      .symbol("o", "output tokens of a sequence", format_count(subject.workload.output),
              std::string(kAsked));
  if (!forecast.decode)
    return draft.line(format_precise(forecast.ttft)).is(forecast.e2e);
  const std::string mean = format_precise(forecast.decode->predicted);
  return draft.symbol("T_decode", "predicted time of the mean decode step", mean, "Eq. 14")
      .line(fmt::format("{} + ({} - 1) × {}", format_precise(forecast.ttft),
                        format_count(subject.workload.output), mean))
      .is(forecast.e2e);
}

Draft rate_draft(const Subject& subject, std::string title, std::string formula) {
  Draft draft(kRates, std::move(title), std::move(formula));
  if (subject.forecast.tpot) {
    draft.symbol("TPOT", "time per output token after the first",
                 format_precise(*subject.forecast.tpot), "Eq. 16");
  }
  return draft;
}

Explanation explain_rate(const Subject& subject) {
  Draft draft =
      rate_draft(subject, "tokens per second of all sequences while they decode", "b / TPOT");
  draft.symbol("b", "batch", format_count(subject.workload.batch), std::string(kAsked));
  if (!subject.forecast.tokens_per_second)
    return no_decode(draft);
  return draft
      .line(fmt::format("{} tokens / {}", format_count(subject.workload.batch),
                        format_precise(*subject.forecast.tpot)))
      .is(*subject.forecast.tokens_per_second);
}

Explanation explain_rate_per_sequence(const Subject& subject) {
  Draft draft = rate_draft(subject, "tokens per second that one sequence sees", "1 / TPOT");
  if (!subject.forecast.tokens_per_second_per_sequence)
    return no_decode(draft);
  return draft.line(fmt::format("1 token / {}", format_precise(*subject.forecast.tpot)))
      .is(*subject.forecast.tokens_per_second_per_sequence);
}

Explanation explain_request_rate(const Subject& subject) {
  const Workload& workload = subject.workload;
  const std::string e2e = format_precise(subject.forecast.e2e);
  return Draft(kRates, "output tokens per second, prefill included", "b · o / E2E")
      .symbol("b", "batch", format_count(workload.batch), std::string(kAsked))
      .symbol("o", "output tokens of a sequence", format_count(workload.output),
              std::string(kAsked))
      .symbol("E2E", "time to the last token", e2e, "Eq. 17")
      .line(fmt::format("{} × {} tokens / {}", format_count(workload.batch),
                        format_count(workload.output), e2e))
      .is(subject.forecast.request_tokens_per_second);
}

Explanation explain_critical_batch(const Subject& subject) {
  Draft draft(kCriticalBatch, "batch at which the linear layers turn from memory to compute",
              "b* = (Σ W_o / B) / (Σ F_o / C)");
  draft.symbol("W_o", "weights and scales of a linear layer or the head", "in each line", "Eq. 2")
      .symbol("B", "memory bandwidth", format_precise(subject.profile.memory.bandwidth),
              subject.profile_source())
      .symbol("F_o", "its work for one sequence in a decode step", "in each line",
              "docs/model.md section 3")
      .symbol("C", "dense peak of its path", "in each line", subject.profile_source());
  StepEvaluator evaluator = evaluator_of(subject);
  Seconds reading{};
  Seconds computing{};
  for (const Operator& op : evaluator.operators(decode_step(1, 1))) {
    if (op.kind != OperatorKind::gemm)
      continue;
    const double runs = static_cast<double>(op.repeat);
    const Bytes weights = op.weights + op.scales;
    const FlopsPerSecond peak = *subject.profile.peak(op.path);
    reading += runs * (weights / subject.profile.memory.bandwidth);
    computing += runs * (op.work / peak);
    draft.line(fmt::format("{}: {} × {} to read, {} × {} on {} at {}", op.name, op.repeat,
                           format_precise(weights), op.repeat, format_precise(op.work),
                           name(op.path), format_precise(peak)));
  }
  return draft.line(fmt::format("{} / {}", format_precise(reading), format_precise(computing)))
      .is(subject.forecast.critical_batch);
}

constexpr std::array kEntries = {Entry{"ttft_seconds", explain_ttft},
                                 Entry{"tpot_seconds", explain_tpot},
                                 Entry{"e2e_seconds", explain_e2e},
                                 Entry{"tokens_per_second", explain_rate},
                                 Entry{"tokens_per_second_per_sequence", explain_rate_per_sequence},
                                 Entry{"request_tokens_per_second", explain_request_rate},
                                 Entry{"critical_batch", explain_critical_batch}};

}  // namespace

std::span<const Entry> total_entries() {
  return kEntries;
}

}  // namespace roofcast::explaining
