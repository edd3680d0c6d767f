#include "roofcast/predict/phase.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/predict/linear_sum.hpp"
#include "roofcast/predict/phase_parts.hpp"

#include <algorithm>
#include <array>

namespace roofcast {
namespace {

using namespace phase_parts;

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
                             const EngineTime& engine)
    : model_(model),
      plan_(plan),
      paths_(choose_paths(profile, plan)),
      roof_(profile),
      cost_(make_cost_model(level, profile)),
      is_bound_(cost_->is_bound()),
      engine_(engine),
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
  Traffic moved;
  for (const Operator& op : operators_) {
    add_operator(op, sum);
    if (is_bound_)
      add_traffic(op, moved);
  }
  sum.bound = std::max(sum.ideal_compute, sum.ideal_memory);
  if (is_bound_) {
    // Not one operator after the other, but all of them at once.
    const Line compute{sum.ideal_compute, sum.ideal_compute};
    const Line memory{sum.ideal_memory, sum.ideal_memory};
    sum.terms = bound_terms({compute, memory, moved, moved}, 1);
  }
  finish(step.phase, 1, sum);
  return sum;
}

void StepEvaluator::finish(Phase phase, double steps, PhaseForecast& sum) const {
  if (is_bound_) {
    sum.predicted = sum.low = sum.high = sum.bound;
    return;
  }
  sum.terms.overhead += steps * engine_.step_overhead;
  sum.low += steps * engine_.step_overhead_low;
  sum.high += steps * engine_.step_overhead_high;
  // Sums in another order may be an ulp off; the bound is one.
  sum.predicted = std::max(sum.terms.total(), sum.bound);
  const auto& own = phase == Phase::prefill ? engine_.prefill : engine_.decode;
  if (own) {
    sum.low = std::min(sum.low, own->band.low * sum.predicted);
    sum.high = std::max(sum.high, own->band.high * sum.predicted);
  }
  sum.low = std::clamp(sum.low, sum.bound, sum.predicted);
  sum.high = std::max(sum.high, sum.predicted);
}

template <class Visit>
void StepEvaluator::for_each_segment(std::int64_t first_context, std::int64_t steps,
                                     Visit visit) const {
  ROOFCAST_CHECK(first_context >= 1 && steps >= 1);
  const std::int64_t last_context = first_context + steps - 1;
  std::int64_t first = first_context;
  for (const std::int64_t window : windows_) {
    if (window < first || window >= last_context)
      continue;
    visit(first, window);
    first = window + 1;
  }
  visit(first, last_context);
}

PhaseForecast StepEvaluator::decode_sum(std::int64_t batch, std::int64_t first_context,
                                        std::int64_t steps) {
  ROOFCAST_CHECK(batch >= 1);
  PhaseForecast sum;
  for_each_segment(first_context, steps, [&](std::int64_t first, std::int64_t last) {
    sum += sum_segment(batch, first, last);
  });
  finish(Phase::decode, static_cast<double>(steps), sum);
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
  BoundSegment step;
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    const Ends op = ends(*cost_, roof_, operators_[i], last_operators_[i]);
    const auto runs = static_cast<double>(op.last.repeat);
    step.compute += runs * op.compute;
    step.memory += runs * op.memory;
    sum.work += runs * op.sum(&Operator::work, all);
    sum.bytes += runs * sum_linear(op.first.bytes(), op.last.bytes(), all);
    sum.activation_traffic += runs * op.sum(&Operator::activations, all);
    if (is_bound_) {
      add_traffic(op.first, step.first);
      add_traffic(op.last, step.last);
      continue;
    }
    TimeTerms terms = sum_terms(op, count);
    terms *= runs;
    sum.terms += terms;
    const Band band = cost_->band(op.last);
    sum.low += runs * sum_low(op, band.low, count);
    sum.high += band.high * terms.total();
  }
  sum.ideal_compute = step.compute.sum(all);
  sum.ideal_memory = step.memory.sum(all);
  sum.bound = sum_of_largest(std::array{step.compute, step.memory}, count);
  if (is_bound_)
    sum.terms = bound_terms(step, count);
  return sum;
}

std::vector<OperatorMean> StepEvaluator::decode_operators(std::int64_t batch,
                                                          std::int64_t first_context,
                                                          std::int64_t steps) {
  ROOFCAST_CHECK(batch >= 1);
  std::vector<OperatorMean> means;
  for_each_segment(first_context, steps, [&](std::int64_t first, std::int64_t last) {
    add_segment(decode_step(batch, first), decode_step(batch, last),
                static_cast<double>(last - first + 1), means);
  });
  for (OperatorMean& each : means)
    each *= 1.0 / static_cast<double>(steps);
  return means;
}

std::vector<OperatorMean> StepEvaluator::step_operators(const Step& step) {
  std::vector<OperatorMean> operators;
  add_segment(step, step, 1, operators);
  return operators;
}

void StepEvaluator::add_segment(const Step& first, const Step& last, double count,
                                std::vector<OperatorMean>& sums) {
  build_operators(model_, plan_, paths_, first, operators_);
  build_operators(model_, plan_, paths_, last, last_operators_);
  if (sums.empty())
    sums.resize(operators_.size());
  ROOFCAST_CHECK(operators_.size() == last_operators_.size() && operators_.size() == sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Ends op = ends(*cost_, roof_, operators_[i], last_operators_[i]);
    sums[i] += sum_operator(op, count, cost_->band(op.last));
  }
}

}  // namespace roofcast
