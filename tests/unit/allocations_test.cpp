#include "support/allocations.hpp"

#include <memory>
#include <vector>

#include <doctest/doctest.h>

using roofcast::test::allocations_in;

TEST_CASE("allocations: counts single objects and arrays, and nothing else") {
  CHECK(allocations_in([] {}) == 0);
  std::unique_ptr<int> one;  // kept, so that the compiler cannot leave the pair out
  CHECK(allocations_in([&] { one = std::make_unique<int>(1); }) == 1);
  std::unique_ptr<int[]> eight;
  CHECK(allocations_in([&] { eight = std::make_unique<int[]>(8); }) == 1);
  std::vector<int> numbers;
  CHECK(allocations_in([&] { numbers.reserve(100); }) == 1);
  CHECK(allocations_in([&] { numbers.resize(100); }) == 0);
}
