#include "roofcast/cost/roofline.hpp"
#include "roofcast/predict/phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "support/near.hpp"
#include "support/random_cases.hpp"

namespace roofcast {
namespace {

using test::near;
using test::RandomCases;

constexpr std::array<std::string_view, 2> kLevels = {"spec", "fit"};

/// A random model under a random scheme.
struct Drawn {
  Model model;
  PrecisionPlan plan;

  explicit Drawn(RandomCases& random) : model(random.model()), plan(random.plan(model)) {}

  [[nodiscard]] StepEvaluator on(const HardwareProfile& device, std::string_view level,
                                 Seconds overhead = Seconds{}) const {
    return {model, device, plan, level, {.step_overhead = overhead}};
  }
};

Step random_step(RandomCases& random) {
  const std::int64_t batch = random.power_of_two(0, 8);
  return random.whole(0, 1) == 1 ? decode_step(batch, random.whole(1, 100'000))
                                 : prefill_step(batch, random.whole(1, 10'000));
}

HardwareProfile scaled(HardwareProfile device, double bandwidth, double peaks) {
  device.memory.bandwidth *= bandwidth;
  for (auto& peak : device.peaks) {
    if (peak)
      *peak *= peaks;
  }
  return device;
}

/// The figures of a forecast in a fixed order, in long double.
constexpr std::size_t kFigures = 16;
using Figures = std::array<long double, kFigures>;

Figures figures(const PhaseForecast& f) {
  return {f.work.value(),
          f.bytes.value(),
          f.activation_traffic.value(),
          f.ideal_compute.value(),
          f.ideal_memory.value(),
          f.bound.value(),
          f.predicted.value(),
          f.low.value(),
          f.high.value(),
          f.terms.weights.value(),
          f.terms.scales.value(),
          f.terms.kv.value(),
          f.terms.activations.value(),
          f.terms.compute.value(),
          f.terms.network.value(),
          f.terms.overhead.value()};
}

TEST_CASE("time: a prediction is never below its bound, nor its band below it") {
  RandomCases random(1);
  for (int round = 0; round < 2000; ++round) {
    const Drawn drawn(random);
    const HardwareProfile device = random.device();
    const Step step = random_step(random);
    CAPTURE(round);
    for (const auto level : kLevels) {
      StepEvaluator evaluator = drawn.on(device, level, seconds(random.real(0, 1e-4)));
      const PhaseForecast forecast = evaluator.evaluate(step);
      REQUIRE(forecast.bound == std::max(forecast.ideal_compute, forecast.ideal_memory));
      PhaseForecast mean =
          evaluator.decode_sum(random.whole(1, 64), random.whole(1, 9000), random.whole(1, 9000));
      mean *= 1.0 / 3.0;
      for (const PhaseForecast& each : {forecast, mean}) {
        REQUIRE(each.bound <= each.low);
        REQUIRE(each.low <= each.predicted);
        REQUIRE(each.predicted <= each.high);
        REQUIRE(near(each.terms.total(), each.predicted, 1e-12));
      }
      REQUIRE(forecast.mfu() <= 1 + 1e-15);
      REQUIRE(forecast.mbu() <= 1 + 1e-15);
      for (const Operator& op : evaluator.operators(step)) {
        REQUIRE(evaluator.cost().terms(op).total() >= evaluator.bound(op));
      }
    }
  }
}

TEST_CASE("time: more bandwidth or more compute is never slower") {
  RandomCases random(2);
  for (int round = 0; round < 1000; ++round) {
    const Drawn drawn(random);
    const HardwareProfile device = random.device();
    const Step step = random_step(random);
    const double more = random.real(1.0, 4.0);
    CAPTURE(round);
    for (const auto level : kLevels) {
      const Seconds base = drawn.on(device, level).evaluate(step).predicted;
      REQUIRE(drawn.on(scaled(device, more, 1), level).evaluate(step).predicted <=
              base * (1 + 1e-14));
      REQUIRE(drawn.on(scaled(device, 1, more), level).evaluate(step).predicted <=
              base * (1 + 1e-14));
    }
  }
}

TEST_CASE("time: all rates times c give times over c, at the datasheet's level") {
  RandomCases random(3);
  for (int round = 0; round < 500; ++round) {
    const Drawn drawn(random);
    const HardwareProfile device = random.device();
    const Step step = random_step(random);
    const double c = random.real(0.1, 10);
    const PhaseForecast base = drawn.on(device, "spec").evaluate(step);
    const PhaseForecast fast = drawn.on(scaled(device, c, c), "spec").evaluate(step);
    CAPTURE(round);
    REQUIRE(near(c * fast.predicted, base.predicted, 1e-12));
    REQUIRE(near(c * fast.bound, base.bound, 1e-12));
    REQUIRE(near(fast.work, base.work, 1e-15));
  }
}

TEST_CASE("time: memory limits an operator exactly where its intensity is below the ridge") {
  RandomCases random(4);
  for (int round = 0; round < 1000; ++round) {
    const Drawn drawn(random);
    const HardwareProfile device = random.device();
    StepEvaluator evaluator = drawn.on(device, "spec");
    for (const Operator& op : evaluator.operators(random_step(random))) {
      if (op.work == Flops{} || op.bytes() == Bytes{})
        continue;
      const FlopsPerByte intensity = op.work / op.bytes();
      const FlopsPerByte ridge = ridge_point(*device.peak(op.path), device.memory.bandwidth);
      if (near(intensity, ridge, 1e-12))
        continue;
      const bool memory = evaluator.cost().terms(op).limited_by() == LimitedBy::memory;
      CAPTURE(round);
      REQUIRE(memory == (intensity < ridge));
    }
  }
}

TEST_CASE("time: continuous at the ridge") {
  RandomCases random(5);
  for (int round = 0; round < 1000; ++round) {
    const HardwareProfile device = random.device();
    const FlopsPerSecond peak = *device.peak(ComputePath::bf16_tensor);
    const BytesPerSecond bandwidth = device.memory.bandwidth;
    const Bytes traffic = bytes(random.real(1, 1e12));
    const Flops at_ridge = ridge_point(peak, bandwidth) * traffic;
    const Seconds below = roofline_time(at_ridge * (1 - 1e-9), traffic, peak, bandwidth);
    const Seconds above = roofline_time(at_ridge * (1 + 1e-9), traffic, peak, bandwidth);
    CAPTURE(round);
    REQUIRE(near(below, above, 1e-8));
    REQUIRE(below <= above);
  }
}

TEST_CASE("time: a longer context and a larger batch never take less") {
  RandomCases random(6);
  for (int round = 0; round < 1000; ++round) {
    const Drawn drawn(random);
    const HardwareProfile device = random.device();
    const std::int64_t batch = random.whole(1, 300);
    const std::int64_t context = random.whole(1, 50'000);
    CAPTURE(round);
    for (const auto level : kLevels) {
      StepEvaluator evaluator = drawn.on(device, level);
      const Seconds base = evaluator.evaluate(decode_step(batch, context)).predicted;
      const Seconds longer =
          evaluator.evaluate(decode_step(batch, context + random.whole(1, 10'000))).predicted;
      const Seconds larger =
          evaluator.evaluate(decode_step(batch + random.whole(1, 300), context)).predicted;
      REQUIRE(longer >= base * (1 - 1e-14));
      REQUIRE(larger >= base * (1 - 1e-14));
      const Seconds prompt = evaluator.evaluate(prefill_step(batch, context)).predicted;
      REQUIRE(evaluator.evaluate(prefill_step(batch, context + 1)).predicted >=
              prompt * (1 - 1e-14));
    }
  }
}

TEST_CASE("time: the upper edge of the band never falls while the prompt grows by one") {
  RandomCases random(10);
  for (int round = 0; round < 100; ++round) {
    const Drawn drawn(random);
    StepEvaluator evaluator = drawn.on(random.device(), "fit");
    Seconds before{};
    CAPTURE(round);
    for (std::int64_t prompt = 1; prompt <= 128; ++prompt) {
      const Seconds high = evaluator.evaluate(prefill_step(1, prompt)).high;
      CAPTURE(prompt);
      REQUIRE(high >= before * (1 - 1e-14));
      before = high;
    }
  }
}

TEST_CASE("time: the operators of the mean step add up to it, whatever windows fill") {
  RandomCases random(11);
  for (int round = 0; round < 300; ++round) {
    const Drawn drawn(random);
    StepEvaluator evaluator = drawn.on(random.device(), "fit");
    const std::int64_t batch = random.power_of_two(0, 10);
    const std::int64_t first = random.whole(1, 6000);
    const std::int64_t steps = random.whole(1, 8000);
    PhaseForecast mean = evaluator.decode_sum(batch, first, steps);
    mean *= 1.0 / static_cast<double>(steps);
    PhaseForecast sum;
    for (const OperatorMean& each : evaluator.decode_operators(batch, first, steps)) {
      const auto runs = static_cast<double>(each.op.repeat);
      sum.work += runs * each.op.work;
      sum.bytes += runs * each.op.bytes();
      sum.activation_traffic += runs * each.op.activations;
      sum.predicted += runs * each.predicted();
      sum.ideal_compute += runs * each.bound;
    }
    CAPTURE(round);
    REQUIRE(near(sum.work, mean.work, 1e-12));
    REQUIRE(near(sum.bytes, mean.bytes, 1e-12));
    REQUIRE(near(sum.activation_traffic, mean.activation_traffic, 1e-12));
    REQUIRE(near(sum.predicted, mean.predicted, 1e-12));
    // One after the other takes no less than all at once.
    REQUIRE(sum.ideal_compute >= mean.bound * (1 - 1e-12));
  }
}

TEST_CASE("time: a larger batch never takes more per sequence, at the datasheet's level") {
  RandomCases random(7);
  for (int round = 0; round < 1000; ++round) {
    const Drawn drawn(random);
    StepEvaluator evaluator = drawn.on(random.device(), "spec");
    const std::int64_t batch = random.whole(1, 300);
    const std::int64_t larger = batch + random.whole(1, 300);
    const std::int64_t context = random.whole(1, 50'000);
    const PhaseForecast few = evaluator.evaluate(decode_step(batch, context));
    const PhaseForecast many = evaluator.evaluate(decode_step(larger, context));
    const double ratio = static_cast<double>(batch) / static_cast<double>(larger);
    CAPTURE(round);
    REQUIRE(ratio * many.predicted <= few.predicted * (1 + 1e-12));
    REQUIRE(ratio * many.bound <= few.bound * (1 + 1e-12));
  }
}

TEST_CASE("time: the closed form equals the sum over the steps") {
  RandomCases random(8);
  for (int round = 0; round < 100; ++round) {
    const Drawn drawn(random);
    const HardwareProfile device = random.device();
    const std::int64_t batch = random.power_of_two(0, 10);
    // Short ranges as well as ranges that run through windows and crossings.
    const std::int64_t first = random.whole(1, 6000);
    const std::int64_t steps = random.whole(0, 3) == 0 ? random.whole(1, 5) : random.whole(1, 8000);
    CAPTURE(round);
    for (const auto level : kLevels) {
      StepEvaluator evaluator = drawn.on(device, level, seconds(random.real(0, 1e-3)));
      Figures expected{};
      for (std::int64_t i = 0; i < steps; ++i) {
        const Figures one = figures(evaluator.evaluate(decode_step(batch, first + i)));
        for (std::size_t j = 0; j < kFigures; ++j)
          expected[j] += one[j];
      }
      const Figures closed = figures(evaluator.decode_sum(batch, first, steps));
      for (std::size_t j = 0; j < kFigures; ++j) {
        CAPTURE(j);
        REQUIRE(near(static_cast<double>(closed[j]), static_cast<double>(expected[j]), 1e-12));
      }
    }
  }
}

TEST_CASE("time: the closed form adds up over any cut of the range") {
  RandomCases random(9);
  for (int round = 0; round < 1000; ++round) {
    const Drawn drawn(random);
    StepEvaluator evaluator = drawn.on(random.device(), "fit");
    const std::int64_t batch = random.whole(1, 64);
    const std::int64_t first = random.whole(1, 100'000);
    const std::int64_t one = random.whole(1, 100'000'000);
    const std::int64_t other = random.whole(1, 100'000'000);
    const Figures whole = figures(evaluator.decode_sum(batch, first, one + other));
    PhaseForecast parts = evaluator.decode_sum(batch, first, one);
    parts += evaluator.decode_sum(batch, first + one, other);
    const Figures cut = figures(parts);
    CAPTURE(round);
    for (std::size_t j = 0; j < kFigures; ++j) {
      CAPTURE(j);
      REQUIRE(near(static_cast<double>(whole[j]), static_cast<double>(cut[j]), 1e-12));
    }
  }
}

}  // namespace
}  // namespace roofcast
