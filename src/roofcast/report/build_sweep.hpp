#pragma once

#include "roofcast/plan/sweep.hpp"
#include "roofcast/report/report.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace roofcast {

/// Which part of a sweep is answered: "--shard 2/8".
struct SweepPart {
  std::int64_t number = 1;
  std::int64_t count = 1;
};

/// What is known before the first row: the question, and for machines the number of configurations.
Report sweep_head(const SweepSpace& space, const SweepRequest& request, const SweepPart& part);

/// The rows as machines get them: every column.
Grid sweep_grid();
std::vector<Value> sweep_values(const SweepRow& row);

/// What the rows that were shown are worth knowing about.
struct ShownRows {
  std::int64_t count = 0;
  std::int64_t beyond = 0;      ///< rows that are wanted but left out of a table for people
  std::int64_t too_large = 0;   ///< shown rows that do not fit
  std::int64_t announced = 0;   ///< shown rows of devices that are not shipped yet
  std::int64_t not_native = 0;  ///< shown rows whose scheme goes to a wider path
};

/// What is known after the last row: what was skipped and why, what was left out, and the verdict.
Report sweep_tail(const SweepSummary& summary, const ShownRows& shown);

}  // namespace roofcast
