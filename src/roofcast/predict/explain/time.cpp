// Predicted time of a step, its band, its causes and its shares: docs/model.md Eq. 12, 13, 19
// and 20.
#include "roofcast/predict/explain/stage.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/format_precise.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace roofcast::explaining {
namespace {

constexpr int kPrediction = 12;
constexpr int kBand = 13;
constexpr int kUtilisation = 19;
constexpr int kLimit = 20;

constexpr std::array kCauses = {kWeightsCause, kScalesCause,  kKvCause,      kActivationsCause,
                                kComputeCause, kNetworkCause, kOverheadCause};

/// The step whose operators are shown: the prefill, or the decode step in the middle.
void add_shown_step(const Stage& stage, Draft& draft) {
  if (!stage.single())
    add_step_line(stage, stage.middle, "operators of the step in the middle", draft);
}

void add_time_symbols(const Subject& subject, Draft& draft) {
  const std::string level = "level " + subject.request.level;
  draft.symbol("n", "runs of an operator in the step", "in each line", subject.card_source())
      .symbol("t_0", "fixed time of one run", "first in the brackets", level)
      .symbol("t_x", "its activations, where they are apart", "second, where there is any", level)
      .symbol("norm_p(t_c, t_m)",
              "work and bytes at the achieved rates, joined: (t_c^p + t_m^p)^(1/p); max is p = ∞",
              "last in the brackets", level)
      .symbol("c_0", "host time of the engine per step",
              format_precise(subject.runtime.step_overhead), subject.runtime_source());
}

/// One run of an operator: "2.9 us + norm_2.4(33.1 us, 104 us)".
std::string run_text(const CostTerms& cost) {
  const std::string joined =
      std::isinf(cost.exponent) ? "max" : fmt::format("norm_{}", cost.exponent);
  const std::string apart =
      cost.activations > Seconds{} ? " + " + format_precise(cost.activations) : "";
  return fmt::format("{}{} + {}({}, {})", format_precise(cost.fixed), apart, joined,
                     format_precise(cost.compute), format_precise(cost.memory));
}

void add_operator_lines(const Subject& subject, const Stage& stage, Draft& draft) {
  add_shown_step(stage, draft);
  StepEvaluator evaluator = evaluator_of(subject);
  for (const Operator& op : evaluator.operators(stage.middle)) {
    const CostTerms cost = evaluator.cost().terms(op);
    if (cost.total() == Seconds{})
      continue;
    const Seconds all = static_cast<double>(op.repeat) * cost.total();
    draft.line(fmt::format("{}: {} × ({}) = {}, {}", op.name, format_count(op.repeat),
                           run_text(cost), format_precise(all), name(cost.limited_by())));
  }
}

/// The part of one run of an operator that a cause has a share in; 0 when it has none.
Seconds involved(const Cause& cause, const Operator& op, const CostTerms& cost) {
  const bool computes = cost.compute >= cost.memory;
  switch (cause.kind) {
    case CauseKind::bytes:
      return !computes && op.*cause.bytes > Bytes{} ? cost.variable() : Seconds{};
    case CauseKind::activations: {
      const Seconds joined = !computes && cost.with_activations ? cost.variable() : Seconds{};
      return op.activations > Bytes{} ? joined + cost.activations : Seconds{};
    }
    case CauseKind::compute:
      return computes ? cost.variable() : Seconds{};
    case CauseKind::network:
      return {};
    case CauseKind::overhead:
      return cost.fixed;
  }
  return {};
}

void add_cause_lines(const Subject& subject, const Stage& stage, const Cause& cause, Draft& draft) {
  add_shown_step(stage, draft);
  StepEvaluator evaluator = evaluator_of(subject);
  for (const Operator& op : evaluator.operators(stage.middle)) {
    const Seconds one = involved(cause, op, evaluator.cost().terms(op));
    if (one > Seconds{})
      draft.line(fmt::format("{}: {} × {}", op.name, format_count(op.repeat), format_precise(one)));
  }
  if (cause.kind == CauseKind::overhead)
    draft.line("host time per step: " + format_precise(subject.runtime.step_overhead));
}

Explanation explain_edge(const Subject& subject, const Stage& stage, Seconds edge,
                         double Band::*side, std::string title, std::string formula) {
  const std::string factor = format_precise(double(edge / stage.figures.predicted));
  Draft draft(kBand, std::move(title) + stage.title, std::move(formula));
  draft.symbol("T", "predicted time", format_precise(stage.figures.predicted), "Eq. 12")
      .symbol("f", "mean of the operators' factors by time; host time has no band", factor,
              "Eq. 13");
  add_shown_step(stage, draft);
  StepEvaluator evaluator = evaluator_of(subject);
  for (const Operator& op : evaluator.operators(stage.middle)) {
    const Seconds all = static_cast<double>(op.repeat) * evaluator.cost().terms(op).total();
    if (all == Seconds{})
      continue;
    draft.line(fmt::format("{}: {} × {}", op.name, format_precise(all),
                           format_precise(evaluator.cost().band(op).*side)));
  }
  return draft.line(fmt::format("{} × {}", format_precise(stage.figures.predicted), factor))
      .is(edge);
}

Explanation explain_share(const Stage& stage, std::string title, std::string symbol,
                          std::string meaning, Seconds ideal) {
  return Draft(kUtilisation, std::move(title) + stage.title, symbol + " / T")
      .symbol(symbol, std::move(meaning), format_precise(ideal), "Eq. 11")
      .symbol("T", "predicted time", format_precise(stage.figures.predicted), "Eq. 12")
      .line(fmt::format("{} / {}", format_precise(ideal), format_precise(stage.figures.predicted)))
      .is(double(ideal / stage.figures.predicted));
}

}  // namespace

Explanation explain_time(const Subject& subject, const Stage& stage) {
  Draft draft(kPrediction, "predicted time of " + stage.title,
              stage.single() ? "T = Σ n · (t_0 + t_x + norm_p(t_c, t_m)) + c_0"
                             : "T = Σ_t [Σ n · (t_0 + t_x + norm_p(t_c, t_m)) + c_0] / (o - 1)");
  add_time_symbols(subject, draft);
  add_operator_lines(subject, stage, draft);
  std::vector<std::string> parts;
  std::string names;
  for (const Cause& cause : kCauses) {
    const Seconds time = stage.figures.terms.*cause.term;
    if (time == Seconds{})
      continue;
    parts.push_back(format_precise(time));
    names.append(names.empty() ? "" : " + ").append(cause.name);
  }
  return draft.line("by cause: " + names).line(sum(parts)).is(stage.figures.predicted);
}

Explanation explain_cause(const Subject& subject, const Stage& stage, const Cause& cause) {
  const Seconds time = stage.figures.terms.*cause.term;
  const double share = time / stage.figures.predicted;
  Draft draft(kPrediction, fmt::format("time of {} that goes to {}", stage.title, cause.name),
              "f · T");
  draft.symbol("T", "predicted time", format_precise(stage.figures.predicted), "Eq. 12")
      .symbol("f", cause.share, format_precise(share), "docs/model.md section 5");
  if (time > Seconds{})
    add_cause_lines(subject, stage, cause, draft);
  return draft
      .line(fmt::format("{} × {}", format_precise(share), format_precise(stage.figures.predicted)))
      .is(time);
}

Explanation explain_low(const Subject& subject, const Stage& stage) {
  return explain_edge(subject, stage, stage.figures.low, &Band::low,
                      "lower edge of the 80 % band of ",
                      "T_low = f_low · T, no operator below its bound");
}

Explanation explain_high(const Subject& subject, const Stage& stage) {
  return explain_edge(subject, stage, stage.figures.high, &Band::high,
                      "upper edge of the 80 % band of ", "T_high = f_high · T");
}

Explanation explain_limit(const Subject& /*subject*/, const Stage& stage) {
  const TimeTerms& terms = stage.figures.terms;
  const Seconds memory = terms.weights + terms.scales + terms.kv + terms.activations;
  Draft draft(kLimit, "what limits " + stage.title,
              "the largest of compute, memory, network and overhead");
  return draft
      .symbol("memory", "weights, scales, KV cache and activations", format_precise(memory),
              "Eq. 12")
      .line("compute: " + format_precise(terms.compute))
      .line("memory: " + format_precise(memory))
      .line("network: " + format_precise(terms.network))
      .line("overhead: " + format_precise(terms.overhead))
      .is_text(std::string(name(stage.figures.limited_by())));
}

Explanation explain_mfu(const Subject& /*subject*/, const Stage& stage) {
  return explain_share(stage, "MFU of ", "T_C", "time of the work at the dense peaks: Σ F / C",
                       stage.figures.ideal_compute);
}

Explanation explain_mbu(const Subject& /*subject*/, const Stage& stage) {
  return explain_share(stage, "MBU of ", "T_B", "time of weights and KV at full bandwidth: Q / B",
                       stage.figures.ideal_memory);
}

Explanation explain_provenance(const Subject& subject, const Stage& stage) {
  const std::string& text =
      stage.single() ? subject.forecast.prefill_provenance : subject.forecast.decode_provenance;
  return Draft(kPrediction, "where the constants of " + stage.title + " come from",
               "the sources of its operators' constants, by time")
      .line(text)
      .is_text(text);
}

}  // namespace roofcast::explaining
