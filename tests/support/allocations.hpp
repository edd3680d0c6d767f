#pragma once

#include <cstddef>

/// Counts heap allocations, for tests that a hot path makes none.
namespace roofcast::test {

/// Calls of operator new in this thread so far.
std::size_t allocations();

/// Calls of operator new while `run` runs.
template <class Run>
std::size_t allocations_in(Run run) {
  const std::size_t before = allocations();
  run();
  return allocations() - before;
}

}  // namespace roofcast::test
