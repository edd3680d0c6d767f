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

constexpr int kBound = 11;
constexpr int kPrediction = 12;
constexpr int kBand = 13;
constexpr int kUtilisation = 19;
constexpr int kLimit = 20;

constexpr std::array kCauses = {kWeightsCause, kScalesCause,  kKvCause,      kActivationsCause,
                                kComputeCause, kNetworkCause, kOverheadCause};

/// The level of a forecast whose prediction is the bound adds nothing of the engine's.
bool is_bound(const Subject& subject) {
  return evaluator_of(subject).cost().is_bound();
}

void add_time_symbols(const Subject& subject, Draft& draft) {
  const std::string level = "level " + subject.request.level;
  draft.symbol("n", "runs of an operator in the step", "in each line", subject.card_source())
      .symbol("t_0", "fixed time of one run, as all figures of an operator the mean of the steps",
              "first in the brackets", level)
      .symbol("t_x", "its activations, where they are apart", "second, where there is any", level)
      .symbol("norm_p(t_c, t_m)",
              "work and bytes at the achieved rates, joined: (t_c^p + t_m^p)^(1/p); max is p = ∞",
              "last in the brackets", level)
      .symbol("c_0", "host time of the engine per step",
              format_precise(subject.runtime.time.step_overhead), subject.runtime_source());
}

/// One run of an operator: "2.9 us + norm_2.4(33.1 us, 104 us)". Where one term overtakes the other
/// in the course of the steps, the mean of the larger ones is more than the larger mean.
std::string run_text(const OperatorMean& each) {
  const CostTerms& cost = each.cost;
  const Seconds crossing = each.predicted() - cost.total();
  const std::string overtaken =
      crossing > 1e-9 * cost.total() ? " + " + format_precise(crossing) + " where they cross" : "";
  const std::string joined =
      std::isinf(cost.exponent) ? "max" : fmt::format("norm_{}", cost.exponent);
  const std::string apart =
      cost.activations > Seconds{} ? " + " + format_precise(cost.activations) : "";
  return fmt::format("{}{} + {}({}, {}){}", format_precise(cost.fixed), apart, joined,
                     format_precise(cost.compute), format_precise(cost.memory), overtaken);
}

void add_operator_lines(const Subject& subject, const Stage& stage, Draft& draft) {
  for (const OperatorMean& each : operators_of(subject, stage)) {
    if (each.predicted() == Seconds{})
      continue;
    const Seconds all = static_cast<double>(each.op.repeat) * each.predicted();
    draft.line(fmt::format("{}: {} × ({}) = {}, {}", each.op.name, format_count(each.op.repeat),
                           run_text(each), format_precise(all), name(each.cost.limited_by())));
  }
}

/// What each operator adds to a cause. A bound has no parts: its operators overlap.
void add_cause_lines(const Subject& subject, const Stage& stage, const Cause& cause, Draft& draft) {
  if (is_bound(subject))
    return;
  for (const OperatorMean& each : operators_of(subject, stage)) {
    const Seconds one = each.terms.*cause.term;
    if (one > Seconds{})
      draft.line(fmt::format("{}: {} × {}", each.op.name, format_count(each.op.repeat),
                             format_precise(one)));
  }
  if (cause.term == &TimeTerms::overhead)
    draft.line("host time per step: " + format_precise(subject.runtime.time.step_overhead));
}

/// What the edge of a band is made from: operators, host time, and the engine's own band.
void add_edge_lines(const Subject& subject, const Stage& stage, double Band::*side,
                    Seconds EngineTime::*host, Draft& draft) {
  for (const OperatorMean& each : operators_of(subject, stage)) {
    const Seconds all = static_cast<double>(each.op.repeat) * each.predicted();
    if (all == Seconds{})
      continue;
    draft.line(fmt::format("{}: {} × {}", each.op.name, format_precise(all),
                           format_precise(each.band.*side)));
  }
  const EngineTime& engine = subject.runtime.time;
  draft.line("host time per step: " + format_precise(engine.*host));
  if (const auto& own = stage.single() ? engine.prefill : engine.decode) {
    draft.line(fmt::format("{}, {} runs of {}: {} × {}", subject.runtime.name, own->measurements,
                           own->source, format_precise(stage.figures.predicted),
                           format_precise(own->band.*side)));
  }
}

Explanation explain_edge(const Subject& subject, const Stage& stage, Seconds edge,
                         double Band::*side, Seconds EngineTime::*host, std::string title,
                         std::string formula) {
  const std::string predicted = format_precise(stage.figures.predicted);
  const std::string factor = format_precise(double(edge / stage.figures.predicted));
  Draft draft(kBand, std::move(title) + stage.title, std::move(formula));
  draft.symbol("T", "predicted time", predicted, "Eq. 12")
      .symbol("f", "operators, host time and the engine's own band together", factor, "Eq. 13");
  if (is_bound(subject)) {
    draft.line("level " + subject.request.level + " predicts the bound, which has no band");
  } else {
    add_edge_lines(subject, stage, side, host, draft);
  }
  return draft.line(fmt::format("{} × {}", predicted, factor)).is(edge);
}

Explanation explain_share(const Stage& stage, std::string title, const std::string& symbol,
                          std::string meaning, Seconds ideal) {
  return Draft(kUtilisation, std::move(title) + stage.title, symbol + " / T")
      .symbol(symbol, std::move(meaning), format_precise(ideal), "Eq. 11")
      .symbol("T", "predicted time", format_precise(stage.figures.predicted), "Eq. 12")
      .line(fmt::format("{} / {}", format_precise(ideal), format_precise(stage.figures.predicted)))
      .is(double(ideal / stage.figures.predicted));
}

}  // namespace

Explanation explain_time(const Subject& subject, const Stage& stage) {
  if (is_bound(subject)) {
    return Draft(kBound, "predicted time of " + stage.title, "T = T_bound")
        .symbol("T_bound", "bound of the level " + subject.request.level,
                format_precise(stage.figures.bound), "Eq. 11")
        .line(format_precise(stage.figures.bound))
        .is(stage.figures.predicted);
  }
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
  return explain_edge(subject, stage, stage.figures.low, &Band::low, &EngineTime::step_overhead_low,
                      "lower edge of the 80 % band of ",
                      "T_low = f_low · T, no operator below its bound");
}

Explanation explain_high(const Subject& subject, const Stage& stage) {
  return explain_edge(subject, stage, stage.figures.high, &Band::high,
                      &EngineTime::step_overhead_high, "upper edge of the 80 % band of ",
                      "T_high = f_high · T");
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
