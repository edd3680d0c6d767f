#include "roofcast/predict/phase.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace roofcast {
namespace {

/// Steps begin <= k < end of a segment of `count` steps. Doubles, because they only weigh
/// quantities.
struct Steps {
  double begin = 0;
  double end = 0;
  double count = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
};

/// Sum over `steps` of a figure that is linear in the step, given at both ends of the whole
/// segment.
template <class Quantity>
Quantity sum_linear(Quantity first, Quantity last, const Steps& steps) {
  const double middle =
      steps.count > 1 ? 0.5 * (steps.begin + steps.end - 1) / (steps.count - 1) : 0.0;
  return (steps.end - steps.begin) * ((1.0 - middle) * first + middle * last);
}

/// A time that is linear in the step.
struct Line {
  Seconds first;
  Seconds last;

  [[nodiscard]] Seconds sum(const Steps& steps) const { return sum_linear(first, last, steps); }
};

/// A segment cut where one line crosses another.
struct Crossing {
  Steps upper;  ///< steps in which the first line is at least the second
  Steps lower;
};

Crossing cross(const Line& one, const Line& other, double count) {
  const Seconds start = one.first - other.first;
  const Seconds end = one.last - other.last;
  const Steps all{0, count, count};
  if (start >= Seconds{} && end >= Seconds{})
    return {all, {0, 0, count}};
  if (start < Seconds{} && end < Seconds{})
    return {{0, 0, count}, all};
  const double at = start / (start - end) * (count - 1);
  if (start >= Seconds{}) {
    const double cut = std::clamp(std::floor(at) + 1, 1.0, count - 1);
    return {{0, cut, count}, {cut, count, count}};
  }
  const double cut = std::clamp(std::ceil(at), 1.0, count - 1);
  return {{cut, count, count}, {0, cut, count}};
}

Seconds sum_of_max(const Line& one, const Line& other, double count) {
  const Crossing cut = cross(one, other, count);
  return one.sum(cut.upper) + other.sum(cut.lower);
}

/// What one operator adds to a step's terms, when memory is its larger term: its time in proportion
/// to its bytes. `time` covers the activations only where the cost model counts them.
void add_memory_terms(const Operator& op, Seconds time, bool activations, TimeTerms& terms) {
  const auto per_byte = time / (activations ? op.traffic() : op.bytes());
  terms.weights += op.weights * per_byte;
  terms.scales += op.scales * per_byte;
  terms.kv += op.kv * per_byte;
  if (activations)
    terms.activations += op.activations * per_byte;
}

/// The same operator at both ends of a segment.
struct Ends {
  const Operator& first;
  const Operator& last;
  CostTerms first_cost;
  CostTerms last_cost;

  template <class Quantity>
  [[nodiscard]] Quantity sum(Quantity Operator::*figure, const Steps& steps) const {
    return sum_linear(first.*figure, last.*figure, steps);
  }
};

/// Sum over a segment of an operator's variable time, split by cause.
TimeTerms sum_variable(const Ends& op, bool activations, double count) {
  TimeTerms terms;
  const CostTerms& cost = op.last_cost;
  if (!std::isinf(cost.exponent)) {
    // Only an operator that does not depend on the context may have a finite exponent.
    ROOFCAST_CHECK(op.first_cost.compute == cost.compute && op.first_cost.memory == cost.memory);
    const Seconds time = count * cost.variable();
    if (cost.compute >= cost.memory) {
      terms.compute = time;
    } else {
      add_memory_terms(op.last, time, activations, terms);
    }
    return terms;
  }
  const Line compute{op.first_cost.compute, cost.compute};
  const Crossing cut = cross(compute, {op.first_cost.memory, cost.memory}, count);
  terms.compute = compute.sum(cut.upper);
  if (cut.lower.empty())
    return terms;
  Operator moved = op.last;
  moved.weights = op.sum(&Operator::weights, cut.lower);
  moved.scales = op.sum(&Operator::scales, cut.lower);
  moved.kv = op.sum(&Operator::kv, cut.lower);
  moved.activations = op.sum(&Operator::activations, cut.lower);
  const Line memory{op.first_cost.memory, cost.memory};
  add_memory_terms(moved, memory.sum(cut.lower), activations, terms);
  return terms;
}

std::vector<std::int64_t> distinct_windows(const Model& model) {
  std::vector<std::int64_t> windows;
  for (const LayerGroup& group : model.groups) {
    for (const Module& module : group.modules) {
      if (module.attention.window)
        windows.push_back(*module.attention.window);
    }
  }
  std::sort(windows.begin(), windows.end());
  windows.erase(std::unique(windows.begin(), windows.end()), windows.end());
  return windows;
}

Seconds memory_time(const TimeTerms& terms) {
  return terms.weights + terms.scales + terms.kv + terms.activations;
}

/// The time that the largest cause accounts for.
Seconds largest(const TimeTerms& terms) {
  return std::max({terms.compute, memory_time(terms), terms.network, terms.overhead});
}

}  // namespace

TimeTerms& TimeTerms::operator+=(const TimeTerms& other) {
  weights += other.weights;
  scales += other.scales;
  kv += other.kv;
  activations += other.activations;
  compute += other.compute;
  network += other.network;
  overhead += other.overhead;
  return *this;
}

TimeTerms& TimeTerms::operator*=(double factor) {
  for (Seconds* term : {&weights, &scales, &kv, &activations, &compute, &network, &overhead}) {
    *term *= factor;
  }
  return *this;
}

LimitedBy PhaseForecast::limited_by() const {
  const Seconds most = largest(terms);
  if (terms.compute == most)
    return LimitedBy::compute;
  if (memory_time(terms) == most)
    return LimitedBy::memory;
  return terms.network == most ? LimitedBy::network : LimitedBy::overhead;
}

double PhaseForecast::limiting_share() const {
  return largest(terms) / terms.total();
}
double PhaseForecast::mfu() const {
  return ideal_compute / predicted;
}
double PhaseForecast::mbu() const {
  return ideal_memory / predicted;
}

PhaseForecast& PhaseForecast::operator+=(const PhaseForecast& other) {
  work += other.work;
  bytes += other.bytes;
  activation_traffic += other.activation_traffic;
  ideal_compute += other.ideal_compute;
  ideal_memory += other.ideal_memory;
  bound += other.bound;
  predicted += other.predicted;
  low += other.low;
  high += other.high;
  terms += other.terms;
  return *this;
}

PhaseForecast& PhaseForecast::operator*=(double factor) {
  work *= factor;
  bytes *= factor;
  activation_traffic *= factor;
  for (Seconds* time : {&ideal_compute, &ideal_memory, &bound, &predicted, &low, &high}) {
    *time *= factor;
  }
  terms *= factor;
  return *this;
}

StepEvaluator::StepEvaluator(const Model& model, const HardwareProfile& profile,
                             const PrecisionPlan& plan, std::string_view level,
                             Seconds step_overhead)
    : model_(model),
      plan_(plan),
      paths_(choose_paths(profile, plan)),
      roof_(profile),
      cost_(make_cost_model(level, profile)),
      step_overhead_(step_overhead),
      windows_(distinct_windows(model)) {}

const OperatorList& StepEvaluator::operators(const Step& step) {
  build_operators(model_, plan_, paths_, step, operators_);
  return operators_;
}

Seconds StepEvaluator::bound(const Operator& op) const {
  return std::max(roof_.compute(op.work, op.path), roof_.memory(op.bytes()));
}

PhaseForecast StepEvaluator::evaluate(const Step& step) {
  build_operators(model_, plan_, paths_, step, operators_);
  const bool activations = cost_->counts_activations();
  PhaseForecast sum;
  Seconds low{};
  Seconds high{};
  for (const Operator& op : operators_) {
    const auto runs = static_cast<double>(op.repeat);
    const CostTerms cost = cost_->terms(op);
    const Seconds variable = runs * cost.variable();
    const Seconds fixed = runs * cost.fixed;
    sum.work += runs * op.work;
    sum.bytes += runs * op.bytes();
    sum.activation_traffic += runs * op.activations;
    sum.ideal_compute += runs * roof_.compute(op.work, op.path);
    sum.terms.overhead += fixed;
    if (cost.compute >= cost.memory) {
      sum.terms.compute += variable;
    } else {
      add_memory_terms(op, variable, activations, sum.terms);
    }
    const Band band = cost_->band(op);
    low += band.low * (variable + fixed);
    high += band.high * (variable + fixed);
  }
  sum.terms.overhead += step_overhead_;
  sum.ideal_memory = roof_.memory(sum.bytes);
  sum.bound = std::max(sum.ideal_compute, sum.ideal_memory);
  sum.predicted = sum.terms.total();
  sum.low = low + step_overhead_;
  sum.high = high + step_overhead_;
  return sum;
}

PhaseForecast StepEvaluator::decode_sum(std::int64_t batch, std::int64_t first_context,
                                        std::int64_t steps) {
  ROOFCAST_CHECK(batch >= 1 && first_context >= 1 && steps >= 1);
  const std::int64_t last_context = first_context + steps - 1;
  PhaseForecast sum;
  std::int64_t first = first_context;
  for (const std::int64_t window : windows_) {
    if (window < first || window >= last_context)
      continue;
    add_segment(batch, first, window, sum);
    first = window + 1;
  }
  add_segment(batch, first, last_context, sum);
  sum.predicted = sum.terms.total();  // exactly, whatever the rounding of the segments' sums
  return sum;
}

void StepEvaluator::add_segment(std::int64_t batch, std::int64_t first, std::int64_t last,
                                PhaseForecast& sum) {
  build_operators(model_, plan_, paths_, decode_step(batch, first), operators_);
  build_operators(model_, plan_, paths_, decode_step(batch, last), last_operators_);
  ROOFCAST_CHECK(operators_.size() == last_operators_.size());
  const auto count = static_cast<double>(last - first + 1);
  const Steps all{0, count, count};
  const bool activations = cost_->counts_activations();
  PhaseForecast part;
  Line compute{};
  Line memory{};
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    const Ends op{operators_[i], last_operators_[i], cost_->terms(operators_[i]),
                  cost_->terms(last_operators_[i])};
    const auto runs = static_cast<double>(op.last.repeat);
    const Line op_memory{roof_.memory(op.first.bytes()), roof_.memory(op.last.bytes())};
    compute.first += runs * roof_.compute(op.first.work, op.first.path);
    compute.last += runs * roof_.compute(op.last.work, op.last.path);
    memory.first += runs * op_memory.first;
    memory.last += runs * op_memory.last;
    part.work += runs * op.sum(&Operator::work, all);
    part.bytes += runs * sum_linear(op.first.bytes(), op.last.bytes(), all);
    part.activation_traffic += runs * op.sum(&Operator::activations, all);
    TimeTerms terms = sum_variable(op, activations, count);
    terms.overhead = count * op.last_cost.fixed;
    terms *= runs;
    const Band band = cost_->band(op.last);
    part.terms += terms;
    part.low += band.low * terms.total();
    part.high += band.high * terms.total();
  }
  const Seconds host = count * step_overhead_;
  part.terms.overhead += host;
  part.ideal_compute = compute.sum(all);
  part.ideal_memory = memory.sum(all);
  part.bound = sum_of_max(compute, memory, count);
  part.predicted = part.terms.total();
  part.low += host;
  part.high += host;
  sum += part;
}

}  // namespace roofcast
