#include "roofcast/predict/warning.hpp"

#include <string>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include <doctest/doctest.h>

using namespace roofcast;

namespace {

/// T4: no BF16, FP16 at 65 TFLOP/s; INT4 at 260 TOP/s, which holds no wider value.
HardwareProfile t4() {
  HardwareProfile profile = test::device(bytes(16e9), "t4");
  const auto set = [&](ComputePath path, double tera) {
    profile.peaks[static_cast<std::size_t>(path)] = FlopsPerSecond::from_value(tera * 1e12);
  };
  set(ComputePath::fp32_vector, 8.1);
  set(ComputePath::fp16_tensor, 65);
  set(ComputePath::int4_tensor, 260);
  return profile;
}

std::string first(const std::vector<Warning>& warnings) {
  return warnings.empty() ? "" : warnings.front().message;
}

}  // namespace

TEST_CASE("path warnings: advice names a path that such values can take") {
  const Model model = test::model(test::kLlama2_7b);
  CHECK(first(path_warnings(t4(), test::plan(model, "bf16"))) ==
        "t4 has no native path for products of bf16 weights and bf16 activations: they run on "
        "fp32_vector at 8.10 TFLOP/s, the fastest that holds their values; in fp16 they would run "
        "on fp16_tensor at 65.0 TFLOP/s");
  CHECK(path_warnings(t4(), test::plan(model)).empty());
}

TEST_CASE("path warnings: a narrow unit that is slower than a wider one is not called missing") {
  const Model model = test::model(test::kLlama2_7b);
  HardwareProfile slow = t4();
  slow.peaks[static_cast<std::size_t>(ComputePath::int8_tensor)] =
      FlopsPerSecond::from_value(10e12);
  CHECK(first(path_warnings(slow, test::plan(model, "int8", "int8"))) ==
        "t4 runs products of int8 weights and int8 activations faster on fp16_tensor at 65.0 "
        "TFLOP/s than on int8_tensor at 10.0 TOP/s: the faster one is taken");
}

TEST_CASE("precision warnings: weights that were published wider than they are taken") {
  ModelCard card = test::card(test::kLlama2_7b);
  card.weights = "fp32";
  const Model model = build_model(card);
  CHECK(first(precision_warnings(model, test::plan(model))) ==
        "llama-2-7b was published in fp32 and is taken in fp16, as engines serve it; ask for "
        "--weights fp32 to have it as published");
  CHECK(precision_warnings(model, test::plan(model, "fp32")).empty());
  CHECK(precision_warnings(test::model(test::kLlama2_7b), test::plan(model, "fp16")).empty());
}
