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
       const PrecisionRequest& request = {}, Seconds overhead = Seconds{})
      : model(build_model(card)),
        device(on),
        evaluator(model, device, plan_precision(card, request), level, overhead) {}
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
  for (const std::string_view level : {"spec", "fit"}) {
    Case with(test::gemma_3_4b_card(), h100(), level, {.weights = "int4_g128"}, host);
    Case without(test::gemma_3_4b_card(), h100(), level, {.weights = "int4_g128"});
    for (const Step& step : {prefill_step(2, 3000), decode_step(8, 3000)}) {
      const PhaseForecast forecast = with.evaluator.evaluate(step);
      const PhaseForecast plain = without.evaluator.evaluate(step);
      CHECK(forecast.predicted == forecast.terms.total());
      // A prefill is ruled by compute, a decode step by bytes, the scales among them.
      CHECK((forecast.terms.scales > Seconds{}) == (step.phase == Phase::decode));
      CHECK(near(forecast.terms.overhead - plain.terms.overhead, host, 1e-12));
      CHECK(near(forecast.predicted - plain.predicted, host, 1e-12));
      CHECK(forecast.bound == plain.bound);
      CHECK(forecast.low <= forecast.predicted * (1 + 1e-14));
      CHECK(forecast.high >= forecast.predicted * (1 - 1e-14));
    }
  }
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
