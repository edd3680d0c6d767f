#pragma once

#include "roofcast/cost/cost_model.hpp"
#include "roofcast/cost/roofline.hpp"
#include "roofcast/model/operator.hpp"
#include "roofcast/predict/linear_sum.hpp"
#include "roofcast/predict/phase.hpp"

/// The pieces that a step and a sum over steps are added up from; phase.cpp alone includes it.
namespace roofcast::phase_parts {

/// Bytes that a memory term is the time of, by what they are.
struct Traffic {
  Bytes weights{};
  Bytes scales{};
  Bytes kv{};
  Bytes activations{};
};

/// What the memory term of one run stands for.
Traffic traffic(const Operator& op, const CostTerms& cost);

/// Adds the compulsory bytes of all runs.
void add_traffic(const Operator& op, Traffic& sum);

/// Splits a time that is ruled by memory in proportion to the bytes.
void add_memory_terms(const Traffic& traffic, Seconds time, TimeTerms& terms);

/// A segment of steps at the datasheet's rates, all operators together.
struct BoundSegment {
  Line compute;
  Line memory;
  Traffic first;  ///< of the first step
  Traffic last;
};

/// The bound of a segment as a prediction, by cause: steps that compute limits belong to compute,
/// the others to their bytes. docs/model.md Eq. 11.
TimeTerms bound_terms(const BoundSegment& segment, double count);

/// One operator at both ends of a segment.
struct Ends {
  const Operator& first;
  const Operator& last;
  CostTerms first_cost;
  CostTerms last_cost;
  Line compute;  ///< at the datasheet's rates
  Line memory;

  template <class Quantity>
  [[nodiscard]] Quantity sum(Quantity Operator::*figure, const Steps& steps) const {
    return sum_linear(first.*figure, last.*figure, steps);
  }
  [[nodiscard]] Line line(Seconds CostTerms::*term) const {
    return {first_cost.*term, last_cost.*term};
  }
};

Ends ends(const CostModel& cost, const Roof& roof, const Operator& first, const Operator& last);

/// Sum of the time of one run of an operator over a segment, split by cause.
TimeTerms sum_terms(const Ends& op, double count);

/// Sum over a segment of the lower end of an operator's band, which its bound cuts off.
Seconds sum_low(const Ends& op, double band, double count);

/// All figures of one run of an operator, summed over a segment.
OperatorMean sum_operator(const Ends& op, double count, Band band);

}  // namespace roofcast::phase_parts
