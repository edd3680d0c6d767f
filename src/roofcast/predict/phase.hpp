#pragma once

#include "roofcast/cost/cost_model.hpp"
#include "roofcast/cost/roofline.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/op_builder.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/model/step.hpp"
#include "roofcast/predict/runtime.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace roofcast {

/// A predicted time split by what causes it; the terms add up to the prediction exactly. The
/// variable part of an operator goes to compute where compute is the larger term, else to its bytes
/// in proportion.
struct TimeTerms {
  Seconds weights{};
  Seconds scales{};
  Seconds kv{};
  Seconds activations{};
  Seconds compute{};
  Seconds network{};
  Seconds overhead{};  ///< fixed cost of every kernel, and the engine's host time per step

  [[nodiscard]] Seconds total() const {
    return weights + scales + kv + activations + compute + network + overhead;
  }
  TimeTerms& operator+=(const TimeTerms& other);
  TimeTerms& operator*=(double factor);
};

/// One step, or the sum or mean over several.
struct PhaseForecast {
  Flops work{};
  Bytes bytes{};  ///< compulsory: weights and KV cache
  Bytes activation_traffic{};
  Seconds ideal_compute{};  ///< sum of work / peak
  Seconds ideal_memory{};   ///< bytes / bandwidth
  Seconds bound{};          ///< max of the two: nothing correct is faster. docs/model.md Eq. 11
  Seconds predicted{};
  Seconds low{};  ///< 80 % band: bound <= low <= predicted <= high
  Seconds high{};
  TimeTerms terms;

  /// The largest of compute, memory (weights, scales, KV, activations), network and overhead.
  [[nodiscard]] LimitedBy limited_by() const;
  /// Share of the predicted time that `limited_by()` accounts for, in [0, 1].
  [[nodiscard]] double limiting_share() const;
  [[nodiscard]] double mfu() const;  ///< ideal_compute / predicted
  [[nodiscard]] double mbu() const;  ///< ideal_memory / predicted

  PhaseForecast& operator+=(const PhaseForecast& other);
  /// Every figure times `factor`: 1 / steps turns a sum into the mean step.
  PhaseForecast& operator*=(double factor);
};

/// One run of one operator, at the mean of one or several steps.
struct OperatorMean {
  Operator op;     ///< its figures are means
  CostTerms cost;  ///< its terms are means; the mean of their join is that of `terms`
  TimeTerms terms;
  Seconds bound{};  ///< of the operator alone: roofline of its compulsory bytes
  Band band;

  [[nodiscard]] Seconds predicted() const { return terms.total(); }
  /// Adds the figures of other steps; name, path and band become theirs.
  OperatorMean& operator+=(const OperatorMean& other);
  OperatorMean& operator*=(double factor);
};

/// Evaluates steps of one model on one device under one plan. Everything that does not depend on
/// the step is prepared once; `evaluate` allocates nothing after its first call.
class StepEvaluator {
 public:
  /// Keeps a reference to `model`, which must outlive it.
  /// @throws ConfigError, UsageError  from path choice and level
  StepEvaluator(const Model& model, const HardwareProfile& profile, const PrecisionPlan& plan,
                std::string_view level, const EngineTime& engine = {});

  PhaseForecast evaluate(const Step& step);

  /// Sum over `steps` decode steps whose contexts are first, first + 1, ...: closed form, equal to
  /// the step-by-step sum to 1e-12. docs/model.md Eq. 14. first_context >= 1, steps >= 1.
  PhaseForecast decode_sum(std::int64_t batch, std::int64_t first_context, std::int64_t steps);

  /// The operators of the mean of the same steps, in the order of a step. Their sum over all runs
  /// is decode_sum() / steps without the engine's time, to 1e-12; at a level that is the bound each
  /// stands for itself, and a step that overlaps them all takes less than their sum. docs/model.md
  /// Eq. 14.
  std::vector<OperatorMean> decode_operators(std::int64_t batch, std::int64_t first_context,
                                             std::int64_t steps);
  /// The same of one step.
  std::vector<OperatorMean> step_operators(const Step& step);

  /// The operators of a step; valid until the next call on this evaluator.
  const OperatorList& operators(const Step& step);
  [[nodiscard]] const CostModel& cost() const { return *cost_; }
  [[nodiscard]] const PathChoice& paths() const { return paths_; }
  /// Bound of one operator alone: roofline of its compulsory bytes.
  [[nodiscard]] Seconds bound(const Operator& op) const;

 private:
  void add_operator(const Operator& op, PhaseForecast& sum) const;
  /// Calls visit(first, last) for the parts of a range of contexts in which no window fills.
  template <class Visit>
  void for_each_segment(std::int64_t first_context, std::int64_t steps, Visit visit) const;
  /// Sum over the contexts first..last, between which no window fills; without the engine's time.
  PhaseForecast sum_segment(std::int64_t batch, std::int64_t first, std::int64_t last);
  /// Adds the operators of `count` steps, of which the first and the last are given.
  void add_segment(const Step& first, const Step& last, double count,
                   std::vector<OperatorMean>& sums);
  /// Adds the engine's time of `steps` steps and puts the figures in their order.
  void finish(Phase phase, double steps, PhaseForecast& sum) const;

  const Model& model_;
  PrecisionPlan plan_;
  PathChoice paths_;
  Roof roof_;
  std::unique_ptr<const CostModel> cost_;
  bool is_bound_;  ///< the level predicts the bound
  EngineTime engine_;
  std::vector<std::int64_t> windows_;  ///< of the model, ascending, each once
  OperatorList operators_;
  OperatorList last_operators_;  ///< of the far end of a context range, for the closed form
};

}  // namespace roofcast
