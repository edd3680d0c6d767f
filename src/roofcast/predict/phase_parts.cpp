#include "roofcast/predict/phase_parts.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofcast {
namespace {

constexpr std::array kOperatorBytes = {&Operator::weights, &Operator::scales, &Operator::kv,
                                       &Operator::activations};
constexpr std::array kCostTerms = {&CostTerms::compute, &CostTerms::memory, &CostTerms::activations,
                                   &CostTerms::fixed};

}  // namespace

OperatorMean& OperatorMean::operator+=(const OperatorMean& other) {
  const Operator figures = op;
  op = other.op;
  op.work += figures.work;
  for (const auto figure : kOperatorBytes)
    op.*figure += figures.*figure;
  const CostTerms before = cost;
  cost = other.cost;
  for (const auto term : kCostTerms)
    cost.*term += before.*term;
  terms += other.terms;
  bound += other.bound;
  band = other.band;
  return *this;
}

OperatorMean& OperatorMean::operator*=(double factor) {
  op.work *= factor;
  for (const auto figure : kOperatorBytes)
    op.*figure *= factor;
  for (const auto term : kCostTerms)
    cost.*term *= factor;
  terms *= factor;
  bound *= factor;
  return *this;
}

namespace phase_parts {

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

Ends ends(const CostModel& cost, const Roof& roof, const Operator& first, const Operator& last) {
  return {first,
          last,
          cost.terms(first),
          cost.terms(last),
          {roof.compute(first.work, first.path), roof.compute(last.work, last.path)},
          {roof.memory(first.bytes()), roof.memory(last.bytes())}};
}

TimeTerms sum_terms(const Ends& op, double count) {
  const Steps all{0, count, count};
  TimeTerms terms;
  terms.overhead = op.line(&CostTerms::fixed).sum(all);
  terms.activations = op.line(&CostTerms::activations).sum(all);
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

Seconds sum_low(const Ends& op, double band, double count) {
  const auto low = [&](Seconds term, const CostTerms& cost) {
    return band * (cost.fixed + cost.activations + term);
  };
  const CostTerms& first = op.first_cost;
  const CostTerms& last = op.last_cost;
  if (!std::isinf(last.exponent)) {
    const Seconds predicted = low(last.variable(), last);
    return sum_of_largest(std::array{Line{predicted, predicted}, op.compute, op.memory}, count);
  }
  const Line by_compute{low(first.compute, first), low(last.compute, last)};
  const Line by_memory{low(first.memory, first), low(last.memory, last)};
  return sum_of_largest(std::array{by_compute, by_memory, op.compute, op.memory}, count);
}

OperatorMean sum_operator(const Ends& op, double count, Band band) {
  const Steps all{0, count, count};
  OperatorMean sum{.op = op.last,
                   .cost = op.last_cost,
                   .terms = sum_terms(op, count),
                   .bound = sum_of_largest(std::array{op.compute, op.memory}, count),
                   .band = band};
  sum.op.work = op.sum(&Operator::work, all);
  for (const auto figure : kOperatorBytes)
    sum.op.*figure = op.sum(figure, all);
  for (const auto term : kCostTerms)
    sum.cost.*term = op.line(term).sum(all);
  return sum;
}

void add_traffic(const Operator& op, Traffic& sum) {
  const auto runs = static_cast<double>(op.repeat);
  sum.weights += runs * op.weights;
  sum.scales += runs * op.scales;
  sum.kv += runs * op.kv;
}

TimeTerms bound_terms(const BoundSegment& segment, double count) {
  TimeTerms terms;
  const Crossing cut = cross(segment.compute, segment.memory, count);
  terms.compute = segment.compute.sum(cut.upper);
  if (!cut.lower.empty()) {
    const auto sum = [&](Bytes Traffic::*bytes) {
      return sum_linear(segment.first.*bytes, segment.last.*bytes, cut.lower);
    };
    add_memory_terms({sum(&Traffic::weights), sum(&Traffic::scales), sum(&Traffic::kv), {}},
                     segment.memory.sum(cut.lower), terms);
  }
  return terms;
}

}  // namespace phase_parts
}  // namespace roofcast
