#pragma once

#include "roofcast/plan/sweep_row.hpp"
#include "roofcast/plan/sweep_space.hpp"
#include "roofcast/predict/memory_ledger.hpp"
#include "roofcast/predict/phase.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace roofcast {

/// Evaluates configurations of a sweep, fastest in the order of their indices. What does not depend
/// on the inner axes is kept: steps and ledger per group, KV cache and largest batch per prompt and
/// output, prefill and activations per prompt and batch. One per thread; allocates nothing per
/// configuration.
class RowEvaluator {
 public:
  /// Keeps a reference to `space`, which must outlive it and the rows.
  explicit RowEvaluator(const SweepSpace& space);

  struct Outcome {
    const std::string* skipped = nullptr;  ///< why it cannot be; null when `row` holds
    std::int64_t next = 0;  ///< the next index, or the first one that does not fail in the same way
  };

  /// The same figures as forecast() of that configuration alone.
  Outcome evaluate(std::int64_t index, SweepRow& row);

 private:
  /// What depends on prompt and output alone.
  struct Sequence {
    std::int64_t prompt = 0;
    std::int64_t output = 0;
    Bytes kv_cache{};  ///< of one sequence at its end
    std::optional<std::int64_t> max_batch;
    std::string problem;
  };
  /// What depends on prompt and batch alone.
  struct Prefill {
    std::int64_t prompt = 0;
    std::int64_t batch = 0;
    PhaseForecast phase;
    Bytes activations{};
  };

  void enter_group(std::int64_t number);
  void enter_sequence(const Workload& workload);
  const Prefill& prefill(std::int64_t index, const Workload& workload);
  void fill_memory(const Workload& workload, Bytes activations, SweepRow& row) const;
  void fill_decode(const Workload& workload, SweepRow& row);

  const SweepSpace& space_;
  std::int64_t group_number_ = -1;
  SweepGroup group_;
  SweepRow names_;  ///< the fields that all rows of the group share
  PrecisionPlan plan_;
  std::unique_ptr<StepEvaluator> steps_;
  std::unique_ptr<MemoryLedger> ledger_;
  std::string group_problem_;
  Sequence sequence_;
  std::vector<Prefill> prefills_;  ///< a table of fixed size in which batches displace each other
  std::string problem_;
};

}  // namespace roofcast
