#include "roofcast/plan/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

namespace roofcast {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Point {
  double first;
  double second;
};

/// By the definition: no other row is at least as good in both and better in one; of equal rows the
/// first counts.
std::vector<std::int64_t> front_by_definition(const std::vector<Point>& points) {
  std::vector<std::int64_t> front;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool beaten = std::isnan(points[i].first) || std::isnan(points[i].second);
    for (std::size_t j = 0; j < points.size() && !beaten; ++j) {
      const bool as_good =
          points[j].first <= points[i].first && points[j].second <= points[i].second;
      const bool better = points[j].first < points[i].first || points[j].second < points[i].second;
      beaten = as_good && (better || j < i);
    }
    if (!beaten)
      front.push_back(static_cast<std::int64_t>(i));
  }
  std::sort(front.begin(), front.end(), [&points](std::int64_t a, std::int64_t b) {
    return points[static_cast<std::size_t>(a)].first < points[static_cast<std::size_t>(b)].first;
  });
  return front;
}

/// Few distinct values, so that ties in one and in both columns occur; some rows without a value.
std::vector<Point> random_points(std::mt19937& random, std::size_t count, int distinct) {
  std::uniform_int_distribution<int> value(0, distinct);
  std::vector<Point> points;
  for (std::size_t i = 0; i < count; ++i) {
    const int first = value(random);
    const int second = value(random);
    points.push_back({first == 0 ? kNan : first, second == 0 ? kNan : second});
  }
  return points;
}

ParetoFront offer_all(const std::vector<Point>& points, std::size_t begin, std::size_t step) {
  ParetoFront front;
  for (std::size_t i = begin; i < points.size(); i += step) {
    front.offer(points[i].first, points[i].second, static_cast<std::int64_t>(i));
  }
  return front;
}

}  // namespace

TEST_CASE("pareto: a front written out by hand") {
  // Time and memory, less is better in both: 1 is beaten by 0, 4 by 3; 2 and 5 are equal.
  ParetoFront front;
  const std::vector<Point> points = {{3, 3}, {4, 3}, {1, 9}, {2, 5}, {2, 6}, {1, 9}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    front.offer(points[i].first, points[i].second, static_cast<std::int64_t>(i));
  }
  CHECK(front.indices() == std::vector<std::int64_t>{2, 3, 0});
}

TEST_CASE("pareto: the streaming front equals the definition") {
  std::mt19937 random(20240607);
  for (int round = 0; round < 200; ++round) {
    const auto points = random_points(random, static_cast<std::size_t>(round), 3 + round / 4);
    CHECK(offer_all(points, 0, 1).indices() == front_by_definition(points));
  }
}

TEST_CASE("pareto: fronts of parts merge to the front of the whole, in any order") {
  std::mt19937 random(42);
  for (int round = 0; round < 50; ++round) {
    const auto points = random_points(random, 120, 12);
    const auto whole = front_by_definition(points);
    ParetoFront forward = offer_all(points, 0, 3);
    forward.merge(offer_all(points, 1, 3));
    forward.merge(offer_all(points, 2, 3));
    CHECK(forward.indices() == whole);
    ParetoFront backward = offer_all(points, 2, 3);
    backward.merge(offer_all(points, 1, 3));
    backward.merge(offer_all(points, 0, 3));
    CHECK(backward.indices() == whole);
  }
}

TEST_CASE("best rows: equal a full sort, ties by index, absent ranks left out") {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> value(0, 20);
  for (std::size_t limit : {0U, 1U, 3U, 10U, 400U}) {
    BestRows whole(limit);
    BestRows part(limit);
    BestRows rest(limit);
    std::vector<std::tuple<double, std::int64_t>> sorted;
    for (std::int64_t i = 0; i < 300; ++i) {
      const int drawn = value(random);
      const double rank = drawn == 0 ? kNan : drawn;
      whole.offer(rank, i);
      (i % 2 == 0 ? part : rest).offer(rank, i);
      if (drawn != 0)
        sorted.emplace_back(rank, i);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::int64_t> expected;
    for (const auto& [rank, index] : sorted) {
      if (expected.size() < limit)
        expected.push_back(index);
    }
    CHECK(whole.indices() == expected);
    rest.merge(part);
    CHECK(rest.indices() == expected);
  }
}

}  // namespace roofcast
