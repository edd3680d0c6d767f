#include "roofcast/plan/sweep.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/plan/in_order.hpp"
#include "roofcast/plan/pareto.hpp"
#include "roofcast/plan/row_evaluator.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace roofcast {
namespace {

/// Configurations per chunk: some milliseconds of work, and few enough rows to hold.
constexpr std::int64_t kChunk = 4096;
constexpr std::size_t kMaxFront = 1'000'000;

/// Reasons are few: a device or a format that cannot, a context that is too long. Beyond this
/// number, which only hostile axes reach, they are counted together.
constexpr std::size_t kMaxReasons = 10'000;
constexpr std::string_view kOtherReasons = "other reasons";

using Skips = std::map<std::string, SkippedConfigurations>;

void count_skip(Skips& skips, const std::string& reason, std::int64_t first, std::int64_t count) {
  const auto found = skips.find(reason);
  if (found == skips.end() && skips.size() >= kMaxReasons && reason != kOtherReasons)
    return count_skip(skips, std::string(kOtherReasons), first, count);
  if (found == skips.end()) {
    skips.emplace(reason, SkippedConfigurations{reason, first, count});
    return;
  }
  found->second.first = std::min(found->second.first, first);
  found->second.count += count;
}

/// What one thread has found so far.
struct Worker {
  explicit Worker(const SweepSpace& space, const SweepRequest& request)
      : rows(space), best(request.top ? static_cast<std::size_t>(request.top->count) : 0) {}

  RowEvaluator rows;
  BestRows best;
  ParetoFront front;
  Skips skips;
  std::int64_t evaluated = 0;
  std::int64_t matched = 0;
};

void check_front(const ParetoFront& front) {
  if (front.size() <= kMaxFront)
    return;
  throw ConfigError("--pareto: more than " + format_count(static_cast<std::int64_t>(kMaxFront)) +
                    " rows are on the front; narrow the sweep or add a --where");
}

class Sweep {
 public:
  Sweep(const SweepSpace& space, const SweepRequest& request) : request_(request) {
    for (std::size_t i = 0; i < std::max<std::size_t>(request.threads, 1); ++i) {
      workers_.push_back(std::make_unique<Worker>(space, request));
    }
  }

  void run(const std::function<void(const SweepRow&)>& sink) {
    const std::int64_t chunks = (request_.range.size() + kChunk - 1) / kChunk;
    InOrder<std::vector<SweepRow>>(chunks, workers_.size())
        .run([this](std::size_t thread, std::int64_t number,
                    std::vector<SweepRow>& rows) { produce(*workers_[thread], number, rows); },
             [&sink](const std::vector<SweepRow>& rows) {
               for (const SweepRow& row : rows)
                 sink(row);
             });
    for (const std::int64_t index : collected()) {
      SweepRow row;
      workers_.front()->rows.evaluate(index, row);
      sink(row);
    }
  }

  [[nodiscard]] SweepSummary summary() const {
    SweepSummary summary;
    Skips skips;
    for (const auto& worker : workers_) {
      summary.evaluated += worker->evaluated;
      summary.matched += worker->matched;
      for (const auto& [reason, skip] : worker->skips) {
        count_skip(skips, reason, skip.first, skip.count);
      }
    }
    for (auto& [reason, skip] : skips)
      summary.skipped.push_back(std::move(skip));
    std::sort(summary.skipped.begin(), summary.skipped.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return summary;
  }

 private:
  void produce(Worker& worker, std::int64_t number, std::vector<SweepRow>& rows) const {
    rows.clear();
    const std::int64_t begin = request_.range.begin + number * kChunk;
    const std::int64_t end = std::min(begin + kChunk, request_.range.end);
    SweepRow row;
    for (std::int64_t index = begin; index < end;) {
      const RowEvaluator::Outcome outcome = worker.rows.evaluate(index, row);
      const std::int64_t next = std::min(outcome.next, end);
      if (outcome.skipped != nullptr) {
        count_skip(worker.skips, *outcome.skipped, index, next - index);
      } else {
        ++worker.evaluated;
        if (matches(row))
          keep(worker, row, rows);
      }
      index = next;
    }
    check_front(worker.front);
  }

  [[nodiscard]] bool matches(const SweepRow& row) const {
    return std::all_of(request_.where.begin(), request_.where.end(),
                       [&row](const Condition& condition) { return condition.holds(row); });
  }

  void keep(Worker& worker, const SweepRow& row, std::vector<SweepRow>& rows) const {
    ++worker.matched;
    if (request_.top) {
      worker.best.offer(request_.top->by.rank(row), row.index);
    } else if (request_.pareto) {
      worker.front.offer(request_.pareto->first.rank(row), request_.pareto->second.rank(row),
                         row.index);
    } else {
      rows.push_back(row);
    }
  }

  /// Indices that `top` or `pareto` asked for, over all workers.
  [[nodiscard]] std::vector<std::int64_t> collected() {
    Worker& first = *workers_.front();
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      first.best.merge(workers_[i]->best);
      first.front.merge(workers_[i]->front);
    }
    check_front(first.front);
    return request_.top ? first.best.indices() : first.front.indices();
  }

  const SweepRequest& request_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

std::int64_t SweepSummary::skipped_count() const {
  std::int64_t count = 0;
  for (const SkippedConfigurations& skip : skipped)
    count += skip.count;
  return count;
}

SweepSummary sweep(const SweepSpace& space, const SweepRequest& request,
                   const std::function<void(const SweepRow&)>& sink) {
  Sweep sweep(space, request);
  sweep.run(sink);
  return sweep.summary();
}

}  // namespace roofcast
