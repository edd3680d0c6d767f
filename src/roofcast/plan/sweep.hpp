#pragma once

#include "roofcast/plan/sweep_space.hpp"
#include "roofcast/plan/where.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roofcast {

struct TopRequest {
  std::int64_t count = 0;
  Ordering by;
};

struct ParetoRequest {
  Ordering first;
  Ordering second;
};

/// Which rows of a sweep are wanted: all that meet the conditions, or the best or undominated among
/// them.
struct SweepRequest {
  std::vector<Condition> where;
  std::optional<TopRequest> top;
  std::optional<ParetoRequest> pareto;  ///< not together with `top`
  IndexRange range;                     ///< the shard; the whole space is {0, space.size()}
  std::size_t threads = 1;
};

struct SkippedConfigurations {
  std::string reason;
  std::int64_t first = 0;  ///< lowest index
  std::int64_t count = 0;
};

struct SweepSummary {
  std::int64_t evaluated = 0;
  std::int64_t matched = 0;                    ///< of them, what meets the conditions
  std::vector<SkippedConfigurations> skipped;  ///< in the order of their first index

  [[nodiscard]] std::int64_t skipped_count() const;
};

/// Evaluates a range of the product and hands the wanted rows to `sink` on the calling thread: in
/// the order of their indices, best first under `top`, in the order of the first column under
/// `pareto`. The result does not depend on the number of threads. Memory does not grow with the
/// product: rows pass by in chunks, and `top` and `pareto` keep two numbers and an index per row.
/// @throws ConfigError  a front of more than a million rows; whatever `sink` throws
SweepSummary sweep(const SweepSpace& space, const SweepRequest& request,
                   const std::function<void(const SweepRow&)>& sink);

}  // namespace roofcast
