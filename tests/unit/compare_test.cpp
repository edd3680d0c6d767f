#include "roofcast/plan/compare.hpp"

#include "roofcast/base/error.hpp"

#include <memory>
#include <string>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

Contender contender(const test::Shape& shape, const HardwareProfile& device,
                    const std::string& weights = "auto") {
  Contender contender{{}, shape.name, device.name};
  Scenario& result = contender.scenario;
  result.model = std::make_shared<const Model>(test::model(shape));
  result.profile = std::make_shared<const HardwareProfile>(device);
  result.precision.weights = weights;
  result.workload = {.batch = 1, .prompt = 2048, .output = 2};
  result.runtime = &find_runtime("none");
  result.level = "spec";
  return contender;
}

std::vector<std::string> names_of(const std::vector<Candidate>& candidates) {
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates)
    names.push_back(candidate.name);
  return names;
}

}  // namespace

TEST_CASE("compare: candidates are named by what tells them apart") {
  const auto devices = compare(
      {contender(test::kLlama2_7b, test::a100()), contender(test::kLlama2_7b, test::h100())});
  CHECK(names_of(devices) ==
        std::vector<std::string>{"nvidia-a100-sxm4-80gb", "nvidia-h100-sxm5-80gb"});
  const auto mixed = compare({contender(test::kLlama2_7b, test::a100(), "fp8"),
                              contender(test::kLlama31_8b, test::a100(), "int4")});
  CHECK(names_of(mixed) == std::vector<std::string>{"llama-2-7b fp8_e4m3", "llama-3.1-8b int4"});
}

TEST_CASE("compare: the decode bound follows the bandwidths") {
  const auto candidates = compare(
      {contender(test::kLlama2_7b, test::a100()), contender(test::kLlama2_7b, test::h100())});
  const auto decode = standings(candidates, Contest::decode);
  REQUIRE(decode.size() == 2);
  CHECK(decode[0].candidate == 1);
  CHECK(decode[0].times == 1.0);
  CHECK(decode[1].candidate == 0);
  // The same bytes at 3,350 and at 2,039 GB/s.
  CHECK(test::near(decode[1].times, 3350.0 / 2039.0, 1e-12));
  const auto prefill = standings(candidates, Contest::prefill);
  CHECK(prefill[0].candidate == 1);
  CHECK(prefill[1].times > decode[1].times);  // 989.4 / 312 where compute limits
}

TEST_CASE("compare: what does not fit comes after all that does") {
  HardwareProfile small = test::h100();
  small.name = "small";
  small.memory.capacity = bytes(8e9);
  const auto candidates =
      compare({contender(test::kLlama2_7b, small), contender(test::kLlama2_7b, test::a100())});
  const auto decode = standings(candidates, Contest::decode);
  CHECK(decode[0].candidate == 1);
  CHECK(decode[0].fits);
  CHECK_FALSE(decode[1].fits);
  CHECK(decode[1].times < 1.0);
}

TEST_CASE("compare: a candidate that cannot be keeps its reason, the others their times") {
  const auto candidates = compare({contender(test::kLlama2_7b, test::device(bytes(80e9), "bare")),
                                   contender(test::kLlama2_7b, test::a100())});
  CHECK_FALSE(candidates[0].forecast);
  CHECK(candidates[0].problem.starts_with("bare states no peak"));
  CHECK(standings(candidates, Contest::decode).size() == 1);
}

TEST_CASE("compare: one candidate, or the same one twice, is refused") {
  const Contender one = contender(test::kLlama2_7b, test::a100());
  CHECK_THROWS_WITH_AS(compare({one}),
                       "there is one candidate only; name two models, devices or formats to "
                       "compare, as in --gpu a100-sxm4-80,h100-sxm5-80",
                       UsageError);
  CHECK_THROWS_WITH_AS(
      compare({one, one}),
      "two candidates are the same: llama-2-7b on nvidia-a100-sxm4-80gb, weights fp16, "
      "activations fp16, kv fp16",
      UsageError);
}

}  // namespace roofcast
