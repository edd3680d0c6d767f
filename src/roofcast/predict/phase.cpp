#include "roofcast/predict/phase.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/predict/linear_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofcast {
namespace {

/// Bytes that a memory term is the time of, by what they are.
struct Traffic {
  Bytes weights{};
  Bytes scales{};
  Bytes kv{};
  Bytes activations{};
};

/// Splits a time that is ruled by memory in proportion to the bytes.
void add_memory_terms(const Traffic& traffic, Seconds time, TimeTerms& terms) {
  const auto per_byte =
      time / (traffic.weights + traffic.scales + traffic.kv + traffic.activations);
  terms.weights += traffic.weights * per_byte;
  terms.scales += traffic.scales * per_byte;
  terms.kv += traffic.kv * per_byte;
  terms.activations += traffic.activations * per_byte;
}

Traffic traffic(const Operator& op, const CostTerms& cost) {
  return {op.weights, op.scales, op.kv, cost.with_activations ? op.activations : Bytes{}};
}

/// One operator at both ends of a segment.
struct Ends {
  const Operator& first;
  const Operator& last;
  CostTerms first_cost;
  CostTerms last_cost;

  template <class Quantity>
  [[nodiscard]] Quantity sum(Quantity Operator::*figure, const Steps& steps) const {
    return sum_linear(first.*figure, last.*figure, steps);
  }
  [[nodiscard]] Line line(Seconds CostTerms::*term) const {
    return {first_cost.*term, last_cost.*term};
  }
};

/// Sum of an operator's variable time over a segment, split by cause.
TimeTerms sum_variable(const Ends& op, double count) {
  TimeTerms terms;
  const CostTerms& cost = op.last_cost;
  if (!std::isinf(cost.exponent)) {
    // Only an operator that does not depend on the context may have a finite exponent.
    ROOFCAST_CHECK(op.first_cost.compute == cost.compute && op.first_cost.memory == cost.memory);
    const Seconds time = count * cost.variable();
    if (cost.compute >= cost.memory) {
      terms.compute = time;
    } else {
      add_memory_terms(traffic(op.last, cost), time, terms);
    }
    return terms;
  }
  const Line compute = op.line(&CostTerms::compute);
  const Line memory = op.line(&CostTerms::memory);
  const Crossing cut = cross(compute, memory, count);
  terms.compute = compute.sum(cut.upper);
  if (!cut.lower.empty()) {
    add_memory_terms({op.sum(&Operator::weights, cut.lower), op.sum(&Operator::scales, cut.lower),
                      op.sum(&Operator::kv, cut.lower),
                      cost.with_activations ? op.sum(&Operator::activations, cut.lower) : Bytes{}},
                     memory.sum(cut.lower), terms);
  }
  return terms;
}

/// Sum over a segment of the lower end of an operator's band, which the bound cuts off.
Seconds sum_low(const Ends& op, double band, const Line& compute, const Line& memory,
                double count) {
  const auto low = [&](Seconds term, const CostTerms& cost) {
    return band * (cost.fixed + cost.activations + term);
  };
  const CostTerms& first = op.first_cost;
  const CostTerms& last = op.last_cost;
  if (!std::isinf(last.exponent)) {
    const Seconds predicted = low(last.variable(), last);
    return sum_of_largest(std::array{Line{predicted, predicted}, compute, memory}, count);
  }
  const Line by_compute{low(first.compute, first), low(last.compute, last)};
  const Line by_memory{low(first.memory, first), low(last.memory, last)};
  return sum_of_largest(std::array{by_compute, by_memory, compute, memory}, count);
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

void StepEvaluator::add_operator(const Operator& op, PhaseForecast& sum) const {
  const auto runs = static_cast<double>(op.repeat);
  const CostTerms cost = cost_->terms(op);
  const Band band = cost_->band(op);
  const Seconds variable = runs * cost.variable();
  const Seconds fixed = runs * cost.fixed;
  const Seconds activations = runs * cost.activations;
  const Seconds total = fixed + activations + variable;
  const Seconds compute = runs * roof_.compute(op.work, op.path);
  const Seconds memory = runs * roof_.memory(op.bytes());
  sum.work += runs * op.work;
  sum.bytes += runs * op.bytes();
  sum.activation_traffic += runs * op.activations;
  sum.ideal_compute += compute;
  sum.ideal_memory += memory;
  sum.low += std::max({band.low * total, compute, memory});
  sum.high += band.high * total;
  sum.terms.overhead += fixed;
  sum.terms.activations += activations;
  if (cost.compute >= cost.memory) {
    sum.terms.compute += variable;
  } else {
    add_memory_terms(traffic(op, cost), variable, sum.terms);
  }
}

PhaseForecast StepEvaluator::evaluate(const Step& step) {
  build_operators(model_, plan_, paths_, step, operators_);
  PhaseForecast sum;
  for (const Operator& op : operators_)
    add_operator(op, sum);
  sum.terms.overhead += step_overhead_;
  sum.bound = std::max(sum.ideal_compute, sum.ideal_memory);
  sum.predicted = sum.terms.total();
  sum.low += step_overhead_;
  sum.high += step_overhead_;
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
    sum += sum_segment(batch, first, window);
    first = window + 1;
  }
  sum += sum_segment(batch, first, last_context);
  const Seconds host = static_cast<double>(steps) * step_overhead_;
  sum.terms.overhead += host;
  sum.low += host;
  sum.high += host;
  sum.predicted = sum.terms.total();
  return sum;
}

PhaseForecast StepEvaluator::sum_segment(std::int64_t batch, std::int64_t first,
                                         std::int64_t last) {
  build_operators(model_, plan_, paths_, decode_step(batch, first), operators_);
  build_operators(model_, plan_, paths_, decode_step(batch, last), last_operators_);
  ROOFCAST_CHECK(operators_.size() == last_operators_.size());
  const auto count = static_cast<double>(last - first + 1);
  const Steps all{0, count, count};
  PhaseForecast sum;
  Line compute;  // of all operators
  Line memory;
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    const Ends op{operators_[i], last_operators_[i], cost_->terms(operators_[i]),
                  cost_->terms(last_operators_[i])};
    const auto runs = static_cast<double>(op.last.repeat);
    const Line op_compute{roof_.compute(op.first.work, op.first.path),
                          roof_.compute(op.last.work, op.last.path)};
    const Line op_memory{roof_.memory(op.first.bytes()), roof_.memory(op.last.bytes())};
    compute += runs * op_compute;
    memory += runs * op_memory;
    sum.work += runs * op.sum(&Operator::work, all);
    sum.bytes += runs * sum_linear(op.first.bytes(), op.last.bytes(), all);
    sum.activation_traffic += runs * op.sum(&Operator::activations, all);
    TimeTerms terms = sum_variable(op, count);
    terms.overhead = op.line(&CostTerms::fixed).sum(all);
    terms.activations += op.line(&CostTerms::activations).sum(all);
    terms *= runs;
    sum.terms += terms;
    const Band band = cost_->band(op.last);
    sum.low += runs * sum_low(op, band.low, op_compute, op_memory, count);
    sum.high += band.high * terms.total();
  }
  sum.ideal_compute = compute.sum(all);
  sum.ideal_memory = memory.sum(all);
  sum.bound = sum_of_largest(std::array{compute, memory}, count);
  return sum;
}

}  // namespace roofcast
