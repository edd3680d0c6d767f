#include "roofcast/predict/phase.hpp"

#include <cmath>

#include "support/allocations.hpp"
#include "support/cards.hpp"
#include "support/devices.hpp"
#include "support/near.hpp"

namespace roofcast {
namespace {

using test::a100;
using test::h100;
using test::near;

/// A model, its plan and an evaluator on one device.
struct Case {
  Model model;
  HardwareProfile device;
  StepEvaluator evaluator;

  Case(const ModelCard& card, const HardwareProfile& on, std::string_view level,
       const PrecisionRequest& request = {}, const EngineTime& engine = {})
      : model(build_model(card)),
        device(on),
        evaluator(model, device, plan_precision(card, request), level, engine) {}
};

TEST_CASE("bound: Llama 2 7B, FP16, prefill of 2,048 tokens") {
  // Linear layers 2 x 6,476,005,376 x 2048 = 26.526 TFLOP; attention over pairs of a token and what
  // it sees 2 x 32 layers x 32 heads x 256 x 2048 x 2049 / 2 = 1.1 TFLOP; logits of the last token
  // 2 x 4096 x 32000. In all 27.63 TFLOP: 88.5 ms at 312 TFLOP/s, 27.9 ms at 989.4.
  Case on_a100(test::llama_2_7b_card(), a100(), "spec");
  const PhaseForecast prefill = on_a100.evaluator.evaluate(prefill_step(1, 2048));
  CHECK(near(prefill.work.value(), 27.63e12, 1e-3));
  CHECK(near(prefill.bound, seconds(88.5e-3), 5e-3));
  CHECK(prefill.limited_by() == LimitedBy::compute);
  Case on_h100(test::llama_2_7b_card(), h100(), "spec");
  CHECK(near(on_h100.evaluator.evaluate(prefill_step(1, 2048)).bound, seconds(27.9e-3), 5e-3));
}

TEST_CASE("bound: Llama 2 7B, FP16, decode at a context of 2,048") {
  // Weights without the token table: 13,476,831,232 - 262,144,000 = 13,214,687,232 B; keys and
  // values 524,288 x 2048 = 1,073,741,824 B. 14.288 GB: 7.008 ms at 2,039 GB/s, 4.265 ms at 3,350.
  Case on_a100(test::llama_2_7b_card(), a100(), "spec");
  const PhaseForecast decode = on_a100.evaluator.evaluate(decode_step(1, 2048));
  CHECK(near(decode.bytes, bytes(13214687232.0 + 1073741824.0), 1e-12));
  CHECK(near(decode.bound, seconds(7.008e-3), 5e-4));
  CHECK(decode.limited_by() == LimitedBy::memory);
  CHECK(near(decode.mbu(), 1.0, 1e-3));
  Case on_h100(test::llama_2_7b_card(), h100(), "spec");
  CHECK(near(on_h100.evaluator.evaluate(decode_step(1, 2048)).bound, seconds(4.265e-3), 5e-4));
}

TEST_CASE("bound: dense models on H100 as other tools derived them") {
  // Prefill and decode at 2,048 tokens [ms], causal attention, logits of the last token, bytes at
  // the datasheet's bandwidth; an independent tool's ideal level agrees to 0.1 % on decode.
  const auto check = [](const ModelCard& card, std::int64_t batch, double prefill, double decode) {
    CAPTURE(card.name);
    CAPTURE(batch);
    Case on_h100(card, h100(), "spec");
    CHECK(near(on_h100.evaluator.evaluate(prefill_step(batch, 2048)).bound, seconds(prefill * 1e-3),
               5e-3));
    CHECK(near(on_h100.evaluator.evaluate(decode_step(batch, 2048)).bound, seconds(decode * 1e-3),
               5e-3));
  };
  check(test::llama_2_7b_card(), 16, 446.8, 9.073);
  check(test::llama_3_1_8b_card(), 1, 30.0, 4.561);
  check(test::llama_3_1_8b_card(), 32, 960, 7.045);
}

TEST_CASE("bound: the batch at which linear layers turn from memory to compute") {
  // 2 B / 2 FLOP per weight and sequence: batch = ridge = peak / bandwidth, 295.3 on H100, 206.1 on
  // H200.
  const auto limit = [](const HardwareProfile& device, std::int64_t batch) {
    Case on(test::llama_3_1_8b_card(), device, "spec");
    const Operator* gate_up = nullptr;
    for (const Operator& op : on.evaluator.operators(decode_step(batch, 1))) {
      if (op.name == "gate_up")
        gate_up = &op;
    }
    REQUIRE(gate_up != nullptr);
    return on.evaluator.cost().terms(*gate_up).limited_by();
  };
  CHECK(limit(h100(), 295) == LimitedBy::memory);
  CHECK(limit(h100(), 296) == LimitedBy::compute);
  CHECK(limit(test::h200(), 206) == LimitedBy::memory);
  CHECK(limit(test::h200(), 207) == LimitedBy::compute);
}

TEST_CASE("bound: weight-only quantisation cuts bytes and not the compute roof") {
  Case plain(test::llama_2_7b_card(), h100(), "spec");
  Case int4(test::llama_2_7b_card(), h100(), "spec", {.weights = "int4_g128"});
  const PhaseForecast prefill = plain.evaluator.evaluate(prefill_step(1, 2048));
  CHECK(int4.evaluator.evaluate(prefill_step(1, 2048)).ideal_compute == prefill.ideal_compute);
  CHECK(int4.evaluator.evaluate(decode_step(1, 2048)).bytes <
        0.4 * plain.evaluator.evaluate(decode_step(1, 2048)).bytes);
}

TEST_CASE("prediction: near the measured kernels of an independent tool, and in its own band") {
  // aiconfigurator 0.x, measured kernel tables, Llama 2 7B FP16, 2,048 tokens: prefill and decode
  // [ms].
  const auto check = [](const HardwareProfile& device, double prefill, double decode) {
    CAPTURE(device.name);
    Case on(test::llama_2_7b_card(), device, "fit");
    for (const auto& [forecast, measured] :
         {std::pair{on.evaluator.evaluate(prefill_step(1, 2048)), prefill},
          std::pair{on.evaluator.evaluate(decode_step(1, 2048)), decode}}) {
      CHECK(forecast.low < seconds(measured * 1e-3));
      CHECK(forecast.high > seconds(measured * 1e-3));
      CHECK(near(forecast.predicted, seconds(measured * 1e-3), 0.1));
    }
  };
  check(a100(), 121.4, 10.46);
  check(h100(), 44.4, 6.345);
}

TEST_CASE("phase: terms add up to the prediction, and the host's time is overhead") {
  const Seconds host = seconds(1e-3);
  const EngineTime engine{.step_overhead = host,
                          .step_overhead_low = seconds(0.5e-3),
                          .step_overhead_high = seconds(4e-3)};
  Case with(test::gemma_3_4b_card(), h100(), "fit", {.weights = "int4_g128"}, engine);
  Case without(test::gemma_3_4b_card(), h100(), "fit", {.weights = "int4_g128"});
  for (const Step& step : {prefill_step(2, 3000), decode_step(8, 3000)}) {
    const PhaseForecast forecast = with.evaluator.evaluate(step);
    const PhaseForecast plain = without.evaluator.evaluate(step);
    CHECK(forecast.predicted == forecast.terms.total());
    // A prefill is ruled by compute, a decode step by bytes, the scales among them.
    CHECK((forecast.terms.scales > Seconds{}) == (step.phase == Phase::decode));
    CHECK(near(forecast.terms.overhead - plain.terms.overhead, host, 1e-12));
    CHECK(near(forecast.predicted - plain.predicted, host, 1e-12));
    CHECK(forecast.bound == plain.bound);
    // The host's own range, not its expectation, widens the band.
    CHECK(near(forecast.low - plain.low, 0.5 * host, 1e-9));
    CHECK(near(forecast.high - plain.high, 4.0 * host, 1e-9));
  }
}

TEST_CASE("phase: the level of the datasheet predicts the bound, without band and host") {
  // Llama 2 7B on A100: batch 512 at a context of 2,048 multiplies 512 x 2 x 6,607,077,376 FLOP in
  // the linear layers and the head, and 512 x 2 x 32 x 32 x 256 x 2048 in attention, together
  // 7.315e12 FLOP = 23.446 ms at 312 TFLOP/s, and moves 13.215 GB of weights and 512 x 1.074 GB of
  // keys and values = 276.1 ms at 2,039 GB/s. Overlapped the step takes the longer of the two; one
  // operator after the other would add the 21.7 ms in which compute limits the linear layers.
  const EngineTime engine{.step_overhead = seconds(1e-3),
                          .step_overhead_low = {},
                          .step_overhead_high = seconds(3e-3),
                          .prefill = EngineBand{{0.5, 2.0}, 1, "made up"},
                          .decode = EngineBand{{0.5, 2.0}, 1, "made up"}};
  Case on(test::llama_2_7b_card(), a100(), "spec", {}, engine);
  const PhaseForecast step = on.evaluator.evaluate(decode_step(512, 2048));
  CHECK(near(step.predicted, seconds((13214687232.0 + 512 * 1073741824.0) / 2039e9), 1e-12));
  CHECK(near(step.terms.kv, seconds(512 * 1073741824.0 / 2039e9), 1e-12));
  CHECK(step.terms.compute == Seconds{});
  for (const PhaseForecast& phase :
       {step, on.evaluator.evaluate(prefill_step(4, 300)), on.evaluator.decode_sum(512, 1, 5000),
        on.evaluator.decode_sum(1, 1, 1)}) {
    CHECK(phase.predicted == phase.bound);
    CHECK(phase.low == phase.bound);
    CHECK(phase.high == phase.bound);
    CHECK(near(phase.terms.total(), phase.bound, 1e-14));
    CHECK(phase.terms.overhead == Seconds{});
  }
}

TEST_CASE("phase: steps that compute limits and steps that memory limits add up to the bound") {
  // 300 sequences of Llama 2 7B on A100 begin above the critical batch of 153: the first steps are
  // ruled by compute until their keys and values take longer to read.
  Case on(test::llama_2_7b_card(), a100(), "spec");
  const PhaseForecast first = on.evaluator.evaluate(decode_step(300, 1));
  const PhaseForecast last = on.evaluator.evaluate(decode_step(300, 4000));
  REQUIRE(first.limited_by() == LimitedBy::compute);
  REQUIRE(last.limited_by() == LimitedBy::memory);
  const PhaseForecast sum = on.evaluator.decode_sum(300, 1, 4000);
  CHECK(sum.terms.compute > Seconds{});
  CHECK(sum.terms.kv > sum.terms.weights);
  CHECK(near(sum.terms.total(), sum.bound, 1e-13));
}

TEST_CASE("phase: an engine's own band widens, and never crosses prediction and bound") {
  const auto band = [](Band factors) {
    Case on(test::llama_2_7b_card(), h100(), "fit", {},
            {.decode = EngineBand{factors, 1, "made up"}});
    return on.evaluator.evaluate(decode_step(1, 2048));
  };
  const PhaseForecast plain = band({1.0, 1.0});
  const PhaseForecast wide = band({0.1, 5.0});
  CHECK(wide.low == wide.bound);
  CHECK(near(wide.high, 5.0 * wide.predicted, 1e-15));
  // Factors on one side of 1 leave the other edge where the operators put it.
  const PhaseForecast slow = band({1.2, 3.0});
  CHECK(slow.low == plain.low);
  CHECK(slow.low < slow.predicted);
  CHECK(near(slow.high, 3.0 * slow.predicted, 1e-15));
  CHECK(slow.predicted == plain.predicted);
}

TEST_CASE("phase: limits, shares and utilisation") {
  PhaseForecast forecast;
  forecast.ideal_compute = seconds(2);
  forecast.ideal_memory = seconds(3);
  forecast.terms.weights = seconds(3);
  forecast.terms.kv = seconds(1);
  forecast.terms.compute = seconds(2);
  forecast.terms.overhead = seconds(2);
  forecast.predicted = forecast.terms.total();
  CHECK(forecast.limited_by() == LimitedBy::memory);  // 3 + 1 beside 2 and 2
  CHECK(forecast.limiting_share() == 0.5);
  CHECK(forecast.mfu() == 0.25);
  CHECK(forecast.mbu() == 0.375);
  forecast.terms.overhead = seconds(5);
  CHECK(forecast.limited_by() == LimitedBy::overhead);
  forecast.terms.network = seconds(6);
  CHECK(forecast.limited_by() == LimitedBy::network);
}

TEST_CASE("phase: sums and means") {
  Case on(test::llama_3_1_8b_card(), h100(), "fit");
  PhaseForecast mean = on.evaluator.evaluate(decode_step(4, 100));
  const PhaseForecast once = mean;
  mean += once;
  CHECK(mean.predicted == 2.0 * once.predicted);
  mean *= 0.5;
  CHECK(mean.predicted == once.predicted);
  CHECK(mean.bound == once.bound);
  CHECK(mean.low == once.low);
  CHECK(mean.high == once.high);
  CHECK(mean.work == once.work);
  CHECK(mean.bytes == once.bytes);
  CHECK(mean.terms.total() == once.terms.total());
}

TEST_CASE("closed form: one step is that step") {
  Case on(test::gemma_3_4b_card(), h100(), "fit");
  const PhaseForecast sum = on.evaluator.decode_sum(3, 1024, 1);
  const PhaseForecast step = on.evaluator.evaluate(decode_step(3, 1024));
  CHECK(near(sum.predicted, step.predicted, 1e-15));
  CHECK(near(sum.bound, step.bound, 1e-15));
  CHECK(sum.work == step.work);
}

TEST_CASE("closed form: keys and values of a sliding window, by hand") {
  // Mistral 7B: 32 layers x 8 heads x 256 x 2 B = 131,072 B per token and sequence, window 4,096.
  // Contexts 4,095 to 4,098 hold 4,095 + 4,096 + 4,096 + 4,096 = 16,383 tokens; weights are read
  // four times.
  Case on(test::mistral_7b_card(), h100(), "spec");
  const PhaseForecast sum = on.evaluator.decode_sum(1, 4095, 4);
  const double weights = 2.0 * (7241732096.0 - 32000.0 * 4096.0);
  CHECK(near(sum.bytes, bytes(4 * weights + 16383.0 * 131072.0), 1e-14));
}

TEST_CASE("closed form: the operators of the mean step add up to the mean step") {
  // Mistral 7B fills its window of 4,096 tokens half-way through 8,000 steps from a context of 2
  // on: sum of min(t, 4096) over t = 2 .. 8,001 is 4096 x 4097 / 2 - 1 + 3905 x 4096 = 24,385,535.
  // A step in the middle would read 4,001 tokens instead of 3,048.
  Case on(test::mistral_7b_card(), h100(), "fit");
  const std::int64_t steps = 8000;
  PhaseForecast mean = on.evaluator.decode_sum(64, 2, steps);
  mean *= 1.0 / 8000.0;
  PhaseForecast sum;
  Bytes kv{};
  for (const OperatorMean& each : on.evaluator.decode_operators(64, 2, steps)) {
    const auto runs = static_cast<double>(each.op.repeat);
    kv += runs * each.op.kv;
    sum.work += runs * each.op.work;
    sum.bytes += runs * each.op.bytes();
    sum.activation_traffic += runs * each.op.activations;
    sum.predicted += runs * each.predicted();
    CHECK(each.bound <= each.predicted());
  }
  CHECK(near(kv, bytes(64 * 131072.0 * 24385535.0 / 8000.0), 1e-12));
  CHECK(near(sum.work, mean.work, 1e-12));
  CHECK(near(sum.bytes, mean.bytes, 1e-12));
  CHECK(near(sum.activation_traffic, mean.activation_traffic, 1e-12));
  CHECK(near(sum.predicted, mean.predicted, 1e-12));
}

TEST_CASE("evaluator: no allocation after the first call") {
  Case on(test::gemma_3_4b_card(), h100(), "fit",
          {.weights = "fp8", .activations = "fp8", .kv = "fp8"});
  static_cast<void>(on.evaluator.evaluate(decode_step(1, 1)));
  static_cast<void>(on.evaluator.decode_sum(1, 1, 5000));
  CHECK(test::allocations_in([&] {
          for (std::int64_t context = 1; context < 3000; context += 7) {
            static_cast<void>(on.evaluator.evaluate(decode_step(8, context)));
            static_cast<void>(on.evaluator.evaluate(prefill_step(2, context)));
          }
        }) == 0);
  CHECK(test::allocations_in(
            [&] { static_cast<void>(on.evaluator.decode_sum(8, 100, 100'000)); }) == 0);
}

}  // namespace
}  // namespace roofcast
