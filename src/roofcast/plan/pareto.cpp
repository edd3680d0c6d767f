#include "roofcast/plan/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace roofcast {

void BestRows::offer(double rank, std::int64_t index) {
  if (std::isnan(rank) || limit_ == 0)
    return;
  const Entry entry{rank, index};
  if (heap_.size() == limit_) {
    if (!(entry < heap_.front()))
      return;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end());
}

void BestRows::merge(const BestRows& other) {
  for (const Entry& entry : other.heap_)
    offer(entry.rank, entry.index);
}

std::vector<std::int64_t> BestRows::indices() const {
  std::vector<Entry> sorted = heap_;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> result;
  result.reserve(sorted.size());
  for (const Entry& entry : sorted)
    result.push_back(entry.index);
  return result;
}

void ParetoFront::offer(double first, double second, std::int64_t index) {
  if (std::isnan(first) || std::isnan(second))
    return;
  // Along the front `second` falls, so the entry before this place has the best `second` of all
  // rows that are no worse in `first`.
  const auto after = front_.upper_bound(first);
  if (after != front_.begin()) {
    auto& [x, rest] = *std::prev(after);
    if (x == first && rest.second == second) {
      rest.index = std::min(rest.index, index);
      return;
    }
    if (rest.second <= second)
      return;
  }
  auto beaten = front_.lower_bound(first);
  while (beaten != front_.end() && beaten->second.second >= second)
    beaten = front_.erase(beaten);
  front_.emplace_hint(beaten, first, Rest{second, index});
}

void ParetoFront::merge(const ParetoFront& other) {
  for (const auto& [first, rest] : other.front_)
    offer(first, rest.second, rest.index);
}

std::vector<std::int64_t> ParetoFront::indices() const {
  std::vector<std::int64_t> result;
  result.reserve(front_.size());
  for (const auto& entry : front_)
    result.push_back(entry.second.index);
  return result;
}

}  // namespace roofcast
