#include "roofcast/predict/linear_sum.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "support/near.hpp"
#include "support/random_cases.hpp"

namespace roofcast {
namespace {

using test::near;

Line line(double first, double last) {
  return {seconds(first), seconds(last)};
}

TEST_CASE("linear sum: an arithmetic series") {
  // 3 + 5 + 7 + 9 + 11 = 35; its steps 1 to 3 give 5 + 7 + 9 = 21.
  CHECK(line(3, 11).sum({0, 5, 5}) == seconds(35));
  CHECK(near(line(3, 11).sum({1, 4, 5}), seconds(21), 1e-15));
  CHECK(line(3, 3).sum({0, 1, 1}) == seconds(3));
  CHECK(line(3, 11).sum({2, 2, 5}) == Seconds{});
}

TEST_CASE("linear sum: a crossing cuts between steps, and a tie belongs to the first line") {
  // 0, 1, 2, 3, 4 against 2: below it for two steps, then at least it.
  const Crossing rising = cross(line(0, 4), line(2, 2), 5);
  CHECK(rising.lower.begin == 0);
  CHECK(rising.lower.end == 2);
  CHECK(rising.upper.begin == 2);
  CHECK(rising.upper.end == 5);
  // 4, 3, 2, 1, 0 against 2: at least it for three steps.
  const Crossing falling = cross(line(4, 0), line(2, 2), 5);
  CHECK(falling.upper.end == 3);
  CHECK(falling.lower.begin == 3);
  CHECK(cross(line(1, 2), line(1, 2), 9).lower.empty());
  CHECK(cross(line(0, 1), line(1, 2), 9).upper.empty());
}

TEST_CASE("linear sum: the largest of two lines") {
  // max(0..4, 2) = 2 + 2 + 2 + 3 + 4 = 13
  CHECK(near(sum_of_largest(std::array{line(0, 4), line(2, 2)}, 5), seconds(13), 1e-15));
}

TEST_CASE("linear sum: the largest of one to four random lines equals the sum over the steps") {
  test::RandomCases random(20260101);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Line> lines;
    const std::int64_t used = random.whole(1, 4);
    for (std::int64_t i = 0; i < used; ++i)
      lines.push_back(line(random.real(0, 1), random.real(0, 1)));
    const std::int64_t count = random.whole(1, 300);
    long double expected = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const long double share = count > 1 ? static_cast<long double>(k) / (count - 1) : 0.0L;
      long double most = 0;
      for (const Line& each : lines) {
        const long double value = (1 - share) * each.first.value() + share * each.last.value();
        most = std::max(most, value);
      }
      expected += most;
    }
    CAPTURE(round);
    REQUIRE(near(sum_of_largest(lines, static_cast<double>(count)).value(),
                 static_cast<double>(expected), 1e-13));
  }
}

}  // namespace
}  // namespace roofcast
