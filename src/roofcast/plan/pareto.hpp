#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace roofcast {

/// The best `limit` rows seen so far, by rank (smaller is better), equal ranks by index. Holds
/// ranks and indices only; rows are evaluated again when they are asked for.
class BestRows {
 public:
  explicit BestRows(std::size_t limit) : limit_(limit) { heap_.reserve(limit); }

  /// NaN is no rank: such a row is never among the best.
  void offer(double rank, std::int64_t index);
  void merge(const BestRows& other);
  /// Indices, best first.
  [[nodiscard]] std::vector<std::int64_t> indices() const;

 private:
  struct Entry {
    double rank;
    std::int64_t index;
    auto operator<=>(const Entry&) const = default;
  };
  std::size_t limit_;
  std::vector<Entry> heap_;  ///< the worst of the best on top
};

/// The rows that no other row beats in both of two ranks (smaller is better), kept while rows
/// stream by. Of rows that are equal in both, the one with the smallest index stays. O(log n) per
/// row, no allocation for a row that is beaten.
class ParetoFront {
 public:
  /// NaN is no rank: such a row is never on the front.
  void offer(double first, double second, std::int64_t index);
  void merge(const ParetoFront& other);
  [[nodiscard]] std::size_t size() const { return front_.size(); }
  /// Indices in the order of the first rank, best first.
  [[nodiscard]] std::vector<std::int64_t> indices() const;

 private:
  struct Rest {
    double second;
    std::int64_t index;
  };
  std::map<double, Rest> front_;  ///< by first rank; `second` strictly falls along it
};

}  // namespace roofcast
