#include "roofcast/plan/in_order.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace roofcast {

TEST_CASE("in order: every chunk once, in order, on any number of threads") {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    for (const std::int64_t count : {0, 1, 2, 13, 500}) {
      std::vector<std::int64_t> seen;
      InOrder<std::int64_t>(count, threads)
          .run([](std::size_t, std::int64_t number, std::int64_t& chunk) { chunk = number; },
               [&seen](std::int64_t chunk) { seen.push_back(chunk); });
      CHECK(static_cast<std::int64_t>(seen.size()) == count);
      for (std::size_t i = 0; i < seen.size(); ++i)
        CHECK(seen[i] == static_cast<std::int64_t>(i));
    }
  }
}

TEST_CASE("in order: a slow consumer holds the producers back") {
  constexpr std::size_t kThreads = 3;
  std::atomic<std::int64_t> produced = 0;
  std::int64_t consumed = 0;
  std::int64_t most_ahead = 0;
  InOrder<int>(200, kThreads)
      .run([&produced](std::size_t, std::int64_t, int&) { ++produced; },
           [&](int) {
             if (consumed % 50 == 0)
               std::this_thread::sleep_for(std::chrono::milliseconds(2));
             most_ahead = std::max(most_ahead, produced.load() - consumed);
             ++consumed;
           });
  CHECK(consumed == 200);
  // Two chunks per thread are alive: the one in the consumer's hands and those that wait for it.
  CHECK(most_ahead <= static_cast<std::int64_t>(2 * kThreads));
}

TEST_CASE("in order: an exception of either side stops both and arrives") {
  for (const std::size_t threads : {1U, 4U}) {
    std::int64_t consumed = 0;
    const auto count = [&consumed](int) { ++consumed; };
    const auto fail_at_30 = [](std::size_t, std::int64_t number, int&) {
      if (number == 30)
        throw std::runtime_error("chunk 30");
    };
    CHECK_THROWS_WITH_AS(InOrder<int>(1'000'000'000, threads).run(fail_at_30, count), "chunk 30",
                         std::runtime_error);
    CHECK(consumed <= 30);

    consumed = 0;
    const auto full_disk = [&consumed](int) {
      if (++consumed == 5)
        throw std::runtime_error("disk is full");
    };
    CHECK_THROWS_WITH_AS(
        InOrder<int>(1'000'000'000, threads).run([](std::size_t, std::int64_t, int&) {}, full_disk),
        "disk is full", std::runtime_error);
    CHECK(consumed == 5);
  }
}

}  // namespace roofcast
