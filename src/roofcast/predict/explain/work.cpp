// Work, compulsory bytes and bound of a step: docs/model.md Eq. 11 and 14.
#include "roofcast/predict/explain/stage.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/format_precise.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace roofcast::explaining {
namespace {

constexpr int kBound = 11;
constexpr int kClosedForm = 14;

int equation(const Stage& stage) {
  return stage.single() ? kBound : kClosedForm;
}

void add_step_symbols(const Subject& subject, const Stage& stage, Draft& draft) {
  draft.symbol("b", "batch", format_count(subject.workload.batch), std::string(kAsked));
  if (stage.single()) {
    draft.symbol("s", "prompt tokens", format_count(subject.workload.prompt), std::string(kAsked));
    return;
  }
  draft.symbol("o - 1", "decode steps", format_count(stage.steps), std::string(kAsked))
      .symbol("t", "tokens attended to, one more at each step",
              fmt::format("{} to {}", format_count(stage.first.context_tokens),
                          format_count(stage.last.context_tokens)),
              std::string(kAsked));
}

/// Figures of the first and the last of several steps, then their sum over all of them by their
/// number.
template <class Quantity>
Explanation mean_over_steps(const Subject& subject, const Stage& stage,
                            Quantity PhaseForecast::*figure, Draft draft) {
  StepEvaluator evaluator = evaluator_of(subject);
  add_step_line(stage, stage.first, format_precise(evaluator.evaluate(stage.first).*figure), draft);
  if (stage.steps > 1)
    add_step_line(stage, stage.last, format_precise(evaluator.evaluate(stage.last).*figure), draft);
  const Quantity sum = static_cast<double>(stage.steps) * stage.figures.*figure;
  return draft.line(fmt::format("{} / {}", format_precise(sum), format_count(stage.steps)))
      .is(stage.figures.*figure);
}

/// One line per operator of the prefill that has any of `figure`, then their sum.
template <class Quantity, class Figure>
Explanation sum_of_operators(const Subject& subject, const Stage& stage, Figure figure,
                             Quantity total, Draft draft) {
  StepEvaluator evaluator = evaluator_of(subject);
  std::vector<std::string> parts;
  for (const Operator& op : evaluator.operators(stage.first)) {
    const Quantity one = figure(op);
    if (one == Quantity{})
      continue;
    parts.push_back(format_precise(Quantity(static_cast<double>(op.repeat) * one)));
    draft.line(fmt::format("{}: {} × {} = {}", op.name, format_count(op.repeat),
                           format_precise(one), parts.back()));
  }
  return draft.line(sum(parts)).is(total);
}

/// Work over peak for each path that the step uses, as text and as time.
std::string compute_text(const Subject& subject, const OperatorList& operators) {
  std::map<ComputePath, Flops> work;
  for (const Operator& op : operators) {
    if (op.work > Flops{})
      work[op.path] += static_cast<double>(op.repeat) * op.work;
  }
  std::vector<std::string> parts;
  parts.reserve(work.size());
  for (const auto& [path, flops] : work) {
    parts.push_back(
        fmt::format("{} / {}", format_precise(flops), format_precise(*subject.profile.peak(path))));
  }
  return sum(parts);
}

std::string bound_text(const Subject& subject, StepEvaluator& evaluator, const Step& step) {
  const PhaseForecast figures = evaluator.evaluate(step);
  return fmt::format("max({}, {} / {})", compute_text(subject, evaluator.operators(step)),
                     format_precise(figures.bytes),
                     format_precise(subject.profile.memory.bandwidth));
}

}  // namespace

Explanation explain_work(const Subject& subject, const Stage& stage) {
  Draft draft(equation(stage), "work of " + stage.title,
              stage.single() ? "F = Σ n · F_o" : "F = Σ_t F(t) / (o - 1)");
  add_step_symbols(subject, stage, draft);
  draft.symbol("F_o", "products and attention of an operator, 2 FLOP per multiply-add",
               "in each line", "docs/model.md section 3");
  if (!stage.single())
    return mean_over_steps(subject, stage, &PhaseForecast::work, std::move(draft));
  return sum_of_operators(
      subject, stage, [](const Operator& op) { return op.work; }, stage.figures.work,
      std::move(draft));
}

Explanation explain_bytes(const Subject& subject, const Stage& stage) {
  Draft draft(equation(stage), "weights and KV that " + stage.title + " moves",
              stage.single() ? "Q = Σ n · Q_o" : "Q = Σ_t Q(t) / (o - 1)");
  add_step_symbols(subject, stage, draft);
  draft.symbol("Q_o", "weights, scales and KV cache of an operator, which no fusion avoids",
               "in each line", "docs/model.md section 3");
  if (!stage.single())
    return mean_over_steps(subject, stage, &PhaseForecast::bytes, std::move(draft));
  return sum_of_operators(
      subject, stage, [](const Operator& op) { return op.bytes(); }, stage.figures.bytes,
      std::move(draft));
}

Explanation explain_bound(const Subject& subject, const Stage& stage) {
  Draft draft(equation(stage), "bound of " + stage.title,
              stage.single() ? "T_bound = max(Σ F / C, Q / B)"
                             : "T_bound = Σ_t max(Σ F(t) / C, Q(t) / B) / (o - 1)");
  add_step_symbols(subject, stage, draft);
  draft.symbol("F", "work on one path", "in each line", "Eq. 11")
      .symbol("C", "dense peak of that path", "in each line", subject.profile_source())
      .symbol("Q", "weights and KV that must move", format_precise(stage.figures.bytes), "Eq. 11")
      .symbol("B", "memory bandwidth", format_precise(subject.profile.memory.bandwidth),
              subject.profile_source());
  StepEvaluator evaluator = evaluator_of(subject);
  if (stage.single())
    return draft.line(bound_text(subject, evaluator, stage.first)).is(stage.figures.bound);
  for (const Step& step : {stage.first, stage.last}) {
    const Seconds bound = evaluator.evaluate(step).bound;
    add_step_line(stage, step, bound_text(subject, evaluator, step) + " = " + format_precise(bound),
                  draft);
    if (stage.steps == 1)
      break;
  }
  const Seconds all = static_cast<double>(stage.steps) * stage.figures.bound;
  return draft.line(fmt::format("{} / {}", format_precise(all), format_count(stage.steps)))
      .is(stage.figures.bound);
}

}  // namespace roofcast::explaining
