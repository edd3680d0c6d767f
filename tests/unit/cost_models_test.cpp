#include "roofcast/base/error.hpp"
#include "roofcast/cost/cost_model.hpp"
#include "roofcast/cost/fit_constants.hpp"
#include "roofcast/cost/roofline.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>

#include "support/devices.hpp"
#include "support/near.hpp"
#include "support/random_cases.hpp"

namespace roofcast {
namespace {

using test::a100;
using test::h100;
using test::near;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

CostTerms terms(double compute, double memory, double fixed, double exponent) {
  return {.compute = seconds(compute),
          .memory = seconds(memory),
          .fixed = seconds(fixed),
          .exponent = exponent};
}

/// y [m, n] = x [m, k] W^T, 16 bit.
Operator gemm(double m, double n, double k) {
  Operator op;
  op.name = "gemm";
  op.kind = OperatorKind::gemm;
  op.path = ComputePath::bf16_tensor;
  op.work = flops(2.0 * m * n * k);
  op.weights = bytes(2.0 * n * k);
  op.activations = bytes(2.0 * m * (n + k));
  return op;
}

Operator random_operator(test::RandomCases& random, const HardwareProfile& profile) {
  Operator op;
  op.kind = static_cast<OperatorKind>(random.whole(0, 4));
  do {
    op.path = static_cast<ComputePath>(random.whole(0, kComputePaths - 1));
  } while (!profile.peak(op.path));
  op.element_bits = random.pick(std::array{4.0, 6.0, 8.0, 16.0, 32.0});
  op.work = flops(std::exp(random.real(0, 40)));
  op.weights = bytes(std::exp(random.real(0, 28)));
  op.scales = bytes(std::exp(random.real(0, 20)));
  op.kv = bytes(std::exp(random.real(0, 28)));
  op.activations = bytes(std::exp(random.real(0, 28)));
  return op;
}

TEST_CASE("cost terms: p-norm, with max as its limit") {
  // 3 and 4 at p = 2 give 5; at p = infinity 4; at p = 1 they add up.
  CHECK(near(terms(3, 4, 1, 2).total(), seconds(6), 1e-15));
  CHECK(terms(3, 4, 1, kInfinity).total() == seconds(5));
  CHECK(near(terms(3, 4, 0, 1).variable(), seconds(7), 1e-15));
  CHECK(terms(0, 4, 0, 2).variable() == seconds(4));
  CHECK(terms(0, 0, 1, 2).total() == seconds(1));
  // The shortcut for a negligible term must not be seen: 1e-9 of the larger term at p = 1.
  CHECK(near(terms(1, 2e-9, 0, 1).variable(), seconds(1 + 2e-9), 1e-15));
}

TEST_CASE("cost terms: what limits one operator") {
  CHECK(terms(3, 4, 1, 2).limited_by() == LimitedBy::memory);
  CHECK(terms(4, 3, 1, 2).limited_by() == LimitedBy::compute);
  CHECK(terms(4, 3, 5, 2).limited_by() == LimitedBy::overhead);
  CostTerms apart = terms(4, 3, 1, kInfinity);
  apart.activations = seconds(2);  // 3 + 2 beside 4
  CHECK(apart.limited_by() == LimitedBy::memory);
  CHECK(name(LimitedBy::overhead) == "overhead");
}

TEST_CASE("levels: by name, the best one, and an error that lists them") {
  CHECK(make_cost_model("spec", h100())->provenance(gemm(1, 4096, 4096)) == "datasheet");
  CHECK(make_cost_model("best", h100())->provenance(gemm(1, 4096, 4096)) ==
        make_cost_model("fit", h100())->provenance(gemm(1, 4096, 4096)));
  try {
    make_cost_model("spce", h100());
    FAIL("an unknown level was accepted");
  } catch (const UsageError& error) {
    const std::string text = error.what();
    CHECK(text.find("'spce'") != std::string::npos);
    CHECK(text.find("'spec'") != std::string::npos);
    CHECK(text.find("best") != std::string::npos);
  }
}

TEST_CASE("spec: compulsory bytes alone, nothing fixed, no band") {
  // One token through a 4096 x 4096 matrix: 33,554,432 FLOP, 33,554,432 B of weights, on H100.
  const auto spec = make_cost_model("spec", h100());
  const CostTerms cost = spec->terms(gemm(1, 4096, 4096));
  CHECK(near(cost.compute, seconds(33554432 / 989.4e12), 1e-14));
  CHECK(near(cost.memory, seconds(33554432 / 3350e9), 1e-14));
  CHECK_FALSE(cost.with_activations);
  CHECK(cost.fixed == Seconds{});
  CHECK(cost.limited_by() == LimitedBy::memory);
  CHECK(spec->band(gemm(1, 4096, 4096)).low == 1.0);
  CHECK(spec->band(gemm(1, 4096, 4096)).high == 1.0);
}

TEST_CASE("fit: a small and a large product of Hopper, by hand") {
  const auto fit = make_cost_model("fit", h100());
  // Row hopper, gemm, 16 bit: 0.787, 0.843, 3.05 us, p 2.53.
  // 1 x 4096 x 4096: 33,570,816 B / (0.843 x 3350 GB/s) = 11.888 us; the compute term, 0.043 us,
  // adds less than 1e-6 of it at p = 2.53. With 3.05 us: 14.938 us.
  const CostTerms small = fit->terms(gemm(1, 4096, 4096));
  CHECK(near(small.total(), seconds(14.938e-6), 1e-4));
  // 8192 x 8192 x 8192: 1.0995 TFLOP / (0.787 x 989.4 TFLOP/s) = 1412.1 us; 402.7 MB / 2824 GB/s =
  // 142.6 us; ratio 0.10098, ^2.53 = 0.003026; (1.003026)^(1/2.53) = 1.001195; + 3.05: 1416.8 us.
  const CostTerms large = fit->terms(gemm(8192, 8192, 8192));
  CHECK(near(large.total(), seconds(1416.8e-6), 1e-4));
  CHECK(large.limited_by() == LimitedBy::compute);
  // The small one is 3.9 x its fixed cost, below 4: the wider band.
  CHECK(fit->band(gemm(1, 4096, 4096)).high > fit->band(gemm(8192, 8192, 8192)).high);
}

TEST_CASE("fit: attention times its queries and outputs apart") {
  // Llama 2 7B, one sequence at 2,048 tokens: 33,554,432 B of keys and values, 16,384 B of queries
  // and outputs. Row hopper, decode, 16 bit: 0.848, 0.055, 11.49 us. 33554432 / (0.848 x 3350e9)
  // = 11.8116 us, 16384 / (0.055 x 3350e9) = 0.0889 us: 23.3905 us.
  Operator op;
  op.kind = OperatorKind::attention_decode;
  op.path = ComputePath::bf16_tensor;
  op.work = flops(4.0 * 32 * 128 * 2048);
  op.kv = bytes(33554432.0);
  op.activations = bytes(16384.0);
  const auto fit = make_cost_model("fit", h100());
  CHECK(near(fit->terms(op).total(), seconds(23.3905e-6), 1e-5));
  CHECK_FALSE(fit->terms(op).with_activations);
}

TEST_CASE("fit: never faster than the bound, on any architecture") {
  test::RandomCases random(20260102);
  for (int round = 0; round < 5000; ++round) {
    const HardwareProfile profile = random.device();
    const Roof roof(profile);
    const Operator op = random_operator(random, profile);
    const auto fit = make_cost_model("fit", profile);
    CAPTURE(round);
    const Seconds bound = std::max(roof.compute(op.work, op.path), roof.memory(op.bytes()));
    REQUIRE(fit->terms(op).total() >= bound);
    REQUIRE(std::isfinite(fit->terms(op).total().value()));
    const Band band = fit->band(op);
    REQUIRE(band.low > 0);
    REQUIRE(band.low < 1);
    REQUIRE(band.high > 1);
  }
}

TEST_CASE("fit: more work or bytes never take less time") {
  test::RandomCases random(20260103);
  for (int round = 0; round < 2000; ++round) {
    const HardwareProfile profile = random.device();
    const auto fit = make_cost_model("fit", profile);
    const Operator op = random_operator(random, profile);
    Operator more = op;
    more.work *= random.real(1, 2);
    more.weights *= random.real(1, 2);
    more.kv *= random.real(1, 2);
    more.activations *= random.real(1, 2);
    CAPTURE(round);
    REQUIRE(fit->terms(more).total() >= fit->terms(op).total());
  }
}

TEST_CASE("fit: says where its constants come from, and when they are borrowed") {
  const Operator op = gemm(16, 4096, 4096);
  const auto hopper = make_cost_model("fit", h100());
  CHECK_FALSE(hopper->nearest_constants());
  CHECK(hopper->provenance(op) == "fit: hopper, kernel tables of H100 and H200 (aiconfigurator)");

  HardwareProfile unknown = h100();
  unknown.vendor = "Nobody";
  unknown.architecture = "unheard_of";
  const auto borrowed = make_cost_model("fit", unknown);
  CHECK(borrowed->nearest_constants());
  CHECK(borrowed->provenance(op) ==
        "fit: hopper, kernel tables of H100 and H200 (aiconfigurator); nearest constants for "
        "unheard_of at 16 bit");
  CHECK(borrowed->band(op).low < hopper->band(op).low);
  CHECK(borrowed->band(op).high > hopper->band(op).high);
}

TEST_CASE("fit: the band of small products goes over into that of large ones") {
  // Around the border the larger term doubles from n to 2 n and so on; the factors may move by what
  // a fourth of a doubling is worth, an eighth of the way from one band to the other.
  const auto fit = make_cost_model("fit", h100());
  const Band small = fit->band(gemm(1, 64, 64));
  const Band large = fit->band(gemm(1, 65536, 65536));
  REQUIRE(small.high > large.high);
  REQUIRE(small.low < large.low);
  Band before = small;
  for (double n = 64; n < 65536; n *= std::exp2(0.125)) {
    const Band band = fit->band(gemm(1, n, n));  // bytes grow by 2^0.25
    CAPTURE(n);
    CHECK(before.high - band.high >= 0);
    CHECK(before.high - band.high <= (small.high - large.high) * 0.13);
    CHECK(band.low - before.low >= 0);
    CHECK(band.low - before.low <= (large.low - small.low) * 0.13);
    before = band;
  }
}

TEST_CASE("fit: a card that halves FP32 accumulation has constants of its own") {
  // RTX 4090 reaches 166 of its 165.2 TFLOP/s, L40S, whose rate is not halved, 56 % of 362.
  const Operator large = gemm(8192, 8192, 8192);
  const auto geforce = make_cost_model("fit", test::rtx_4090());
  CHECK(near(geforce->terms(large).compute, seconds(1.0995e12 / (0.974 * 165.2e12)), 1e-4));
  HardwareProfile full = test::rtx_4090();
  full.peaks[static_cast<std::size_t>(ComputePath::fp16_acc16)].reset();
  const auto professional = make_cost_model("fit", full);
  CHECK(near(professional->terms(large).compute, seconds(1.0995e12 / (0.57 * 165.2e12)), 1e-4));
}

TEST_CASE("fit: a device without clocks, caches or a known architecture is served") {
  const auto fit = make_cost_model("fit", test::plain_cpu());
  Operator op = gemm(1, 4096, 4096);
  op.path = ComputePath::fp32_vector;
  CHECK(std::isfinite(fit->terms(op).total().value()));
  CHECK(fit->nearest_constants());
  CHECK(fit->provenance(op).find("judged") != std::string::npos);
}

TEST_CASE("constants: every row is unique and within its limits") {
  std::set<std::tuple<std::string_view, OperatorKind, OperandClass>> seen;
  for (const FitConstants& row : fit_constants()) {
    CAPTURE(row.set);
    CAPTURE(name(row.operands));
    CHECK(seen.emplace(row.set, row.kind, row.operands).second);
    CHECK(row.compute > 0);
    CHECK(row.compute < 1);
    CHECK(row.memory > 0);
    CHECK(row.memory < 1);
    CHECK(row.activations >= 0);
    CHECK(row.activations < 1);
    CHECK(row.fixed_us > 0);
    CHECK(row.exponent >= 1);
    CHECK(row.held_out >= 0);
    CHECK_FALSE(row.source.empty());
    for (const Band& band : {row.small, row.large}) {
      CHECK(band.low < 1);
      CHECK(band.high > 1);
    }
    const bool attention =
        row.kind == OperatorKind::attention_decode || row.kind == OperatorKind::attention_prefill;
    // What depends on the context must keep the closed form: max, and one band for every context.
    if (attention) {
      CHECK(std::isinf(row.exponent));
      CHECK(row.small.low == row.large.low);
      CHECK(row.small.high == row.large.high);
    }
  }
}

TEST_CASE("constants: attention has one band wherever its row was found") {
  test::RandomCases random(20260104);
  for (int round = 0; round < 200; ++round) {
    const ChosenTable table = choose_constants(random.device());
    for (const auto kind : {OperatorKind::attention_decode, OperatorKind::attention_prefill}) {
      for (const ChosenConstants& chosen : table[static_cast<std::size_t>(kind)]) {
        REQUIRE(chosen.small.low == chosen.large.low);
        REQUIRE(chosen.small.high == chosen.large.high);
      }
    }
  }
}

TEST_CASE("constants: an operand is expanded when its path reads wider ones") {
  Operator op = gemm(1, 4096, 4096);
  CHECK(operand_class(op) == OperandClass::wide);
  op.element_bits = 4;
  CHECK(operand_class(op) == OperandClass::nibble_expanded);
  op.path = ComputePath::fp4_tensor;
  CHECK(operand_class(op) == OperandClass::nibble);
  op.element_bits = 8;
  op.path = ComputePath::fp8_tensor;
  CHECK(operand_class(op) == OperandClass::byte);
  op.path = ComputePath::bf16_tensor;
  CHECK(operand_class(op) == OperandClass::byte_expanded);
  op.kind = OperatorKind::quantise;
  op.path = ComputePath::fp32_vector;
  CHECK(operand_class(op) == OperandClass::byte);
  op.kind = OperatorKind::attention_decode;
  op.path = ComputePath::fp8_tensor;
  CHECK(operand_class(op) == OperandClass::byte_expanded);
}

}  // namespace
}  // namespace roofcast
