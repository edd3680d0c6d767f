#include "roofcast/plan/sweep_space.hpp"

#include "roofcast/base/error.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "support/sweep_axes.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

std::string problem_of(const SweepAxes& axes) {
  try {
    const SweepSpace space(axes, {});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no problem";
}

}  // namespace

TEST_CASE("sweep space: hostile axes are refused") {
  SweepAxes axes = test::small_axes();
  axes.batches.clear();
  CHECK(problem_of(axes) == "the sweep has no batch");
  axes = test::small_axes();
  axes.models.clear();
  CHECK(problem_of(axes) == "the sweep has no model");
  axes = test::small_axes();
  axes.batches = {1, 2, 4, 2};
  CHECK(problem_of(axes) == "the sweep names batch 2 twice");
  axes = test::small_axes();
  axes.devices.push_back(test::a100());
  CHECK(problem_of(axes) == "the sweep names gpu nvidia-a100-sxm4-80gb twice");
  axes = test::small_axes();
  axes.weights = {"fp8", "e4m3"};  // an alias of the same format
  CHECK(problem_of(axes) == "the sweep names weights fp8_e4m3 twice");
  axes = test::small_axes();
  axes.kv = {"fp9"};
  CHECK(problem_of(axes).starts_with("unknown number format 'fp9'"));
  SweepSettings settings;
  settings.level = "fitt";
  CHECK_THROWS_AS(SweepSpace(test::small_axes(), settings), UsageError);
}

TEST_CASE("sweep space: a product beyond 2^53 is refused, the largest below it is not") {
  SweepAxes axes = test::small_axes();
  axes.models = {test::model(test::kLlama2_7b)};
  axes.devices = {test::a100()};
  axes.weights = axes.activations = axes.kv = {"auto"};
  axes.runtimes = {&find_runtime("none")};
  std::vector<std::int64_t> many(1 << 18);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<std::int64_t>(i) + 1;
  axes.prompts = axes.outputs = axes.batches = many;  // 2^54
  CHECK(problem_of(axes) ==
        "the sweep has more than 9,007,199,254,740,992 configurations; shorten a list or take "
        "larger steps");
  axes.batches.resize(1 << 17);  // 2^53
  const SweepSpace space(axes, {});
  CHECK(space.size() == std::int64_t{1} << 53);
  CHECK(space.workload(space.size() - 1).prompt == 1 << 18);
  CHECK(space.workload(space.size() - 1).batch == 1 << 17);
  CHECK(space.shard(3, 3).end == space.size());
  CHECK(space.shard(1, space.size()).size() == 1);
}

}  // namespace roofcast
