#include "roofcast/cost/roofline.hpp"

#include "roofcast/base/error.hpp"

#include <string>

#include "support/cards.hpp"
#include "support/devices.hpp"
#include "support/near.hpp"

namespace roofcast {
namespace {

using test::a100;
using test::h100;
using test::near;

ResolvedPath resolve(const HardwareProfile& profile, std::string_view weights,
                     std::string_view activations) {
  return resolve_path(profile, number_format(weights), number_format(activations));
}

TEST_CASE("roofline: the larger of work over peak and traffic over bandwidth") {
  // 10 TFLOP at 5 TFLOP/s take 2 s; 10 TB at 2 TB/s take 5 s.
  const auto peak = test::tflops(5);
  const auto bandwidth = test::gigabytes_per_second(2000);
  CHECK(near(roofline_time(flops(10e12), bytes(10e12), peak, bandwidth), seconds(5), 1e-15));
  CHECK(near(roofline_time(flops(10e12), bytes(1e12), peak, bandwidth), seconds(2), 1e-15));
}

TEST_CASE("roofline: the ridge is peak over bandwidth and both terms meet there") {
  // A100: 312e12 / 2039e9 = 153.0 FLOP/B. H100: 989.4 / 3.35 = 295.3. H200: 989.4 / 4.8 = 206.1.
  const auto ridge = [](const HardwareProfile& device) {
    return ridge_point(*device.peak(ComputePath::bf16_tensor), device.memory.bandwidth).value();
  };
  CHECK(near(ridge(a100()), 153.0, 1e-3));
  CHECK(near(ridge(h100()), 295.3, 1e-3));
  CHECK(near(ridge(test::h200()), 206.1, 1e-3));
}

TEST_CASE("roofline: a path the device lacks takes for ever, but no work takes no time on it") {
  const Roof roof(a100());
  CHECK(std::isinf(roof.compute(flops(1), ComputePath::fp8_tensor).value()));
  CHECK(roof.compute(Flops{}, ComputePath::fp8_tensor) == Seconds{});
  CHECK(near(roof.compute(flops(312e12), ComputePath::bf16_tensor), seconds(1), 1e-15));
  CHECK(near(roof.memory(bytes(2039e9)), seconds(1), 1e-15));
}

TEST_CASE("paths: equal operands run on their own path") {
  const ResolvedPath wide = resolve(h100(), "bf16", "bf16");
  CHECK(wide.path == ComputePath::bf16_tensor);
  CHECK_FALSE(wide.weight_only);
  CHECK_FALSE(wide.missing);
  const ResolvedPath narrow = resolve(h100(), "fp8", "fp8");
  CHECK(narrow.path == ComputePath::fp8_tensor);
  CHECK_FALSE(narrow.weight_only);
}

TEST_CASE("paths: weight-only formats never raise the roof") {
  // Peers' error: "INT4 = 4 x FLOP/s" although the weights are expanded to 16 bit first.
  for (const std::string_view weights : {"int4_g128", "int8", "fp8", "nvfp4", "nf4", "q4_k"}) {
    CAPTURE(weights);
    const ResolvedPath resolved = resolve(h100(), weights, "bf16");
    CHECK(resolved.path == ComputePath::bf16_tensor);
    CHECK(resolved.weight_only);
    CHECK_FALSE(resolved.missing);
  }
}

TEST_CASE("paths: the wider operand decides") {
  CHECK(resolve(h100(), "bf16", "fp8").path == ComputePath::bf16_tensor);
  CHECK_FALSE(resolve(h100(), "bf16", "fp8").weight_only);
  CHECK(resolve(h100(), "int4_g128", "fp8").path == ComputePath::fp8_tensor);
  CHECK(resolve(h100(), "int4_g128", "fp8").weight_only);
  CHECK(resolve(a100(), "int4_g128", "int8").path == ComputePath::int8_tensor);
}

TEST_CASE("paths: a missing path falls to the next wider native one") {
  // Ampere has no FP8: stored narrow, computed in 16 bit.
  const ResolvedPath fp8 = resolve(a100(), "fp8", "fp8");
  CHECK(fp8.path == ComputePath::bf16_tensor);
  CHECK(fp8.weight_only);
  CHECK(fp8.missing);
  // Hopper has no FP4 but FP8, which holds every FP4 value.
  const ResolvedPath fp4 = resolve(h100(), "nvfp4", "nvfp4");
  CHECK(fp4.path == ComputePath::fp8_tensor);
  CHECK(fp4.missing);
}

TEST_CASE("paths: narrow formats that do not hold each other meet on a path of both") {
  // FP8 E4M3 has 4 significant bits, INT8 has 8: neither can be turned into the other; both fit in
  // 16 bit.
  CHECK(resolve(h100(), "int8", "fp8").path == ComputePath::bf16_tensor);
  CHECK(resolve(h100(), "fp8_e5m2", "fp8_e4m3").path == ComputePath::fp8_tensor);
}

TEST_CASE("paths: a device with one vector peak serves everything") {
  const ResolvedPath resolved = resolve(test::plain_cpu(), "int4_g128", "bf16");
  CHECK(resolved.path == ComputePath::fp32_vector);
  CHECK(resolved.weight_only);
  CHECK(resolved.missing);
}

TEST_CASE("paths: no peak that serves is an error that lists what there is") {
  const HardwareProfile integer_only =
      test::make_device("integer-only", "hopper", 100, {{ComputePath::int8_tensor, 10}});
  try {
    resolve(integer_only, "bf16", "fp16");
    FAIL("a product without a path was accepted");
  } catch (const ConfigError& error) {
    CHECK(
        std::string(error.what()) ==
        "integer-only states no peak on which bf16 weights and fp16 activations can be multiplied; "
        "it has int8_tensor");
  }
}

TEST_CASE("paths: of a whole plan") {
  const ModelCard card = test::llama_3_1_8b_card();
  const auto choose = [&card](const PrecisionRequest& request) {
    return choose_paths(h100(), plan_precision(card, request));
  };
  const PathChoice plain = choose({});
  CHECK(plain.gemm == ComputePath::bf16_tensor);
  CHECK(plain.attention == ComputePath::bf16_tensor);
  CHECK_FALSE(plain.gemm_weight_only);
  CHECK_FALSE(plain.quantise_activations);

  const PathChoice fp8 = choose({.weights = "fp8", .activations = "fp8", .kv = "fp8"});
  CHECK(fp8.gemm == ComputePath::fp8_tensor);
  CHECK(fp8.attention == ComputePath::fp8_tensor);
  CHECK(fp8.head == ComputePath::bf16_tensor);  // the head stays in the checkpoint's 16 bit
  CHECK(fp8.quantise_activations);

  const PathChoice int4 = choose({.weights = "int4_g128", .kv = "fp8"});
  CHECK(int4.gemm == ComputePath::bf16_tensor);
  CHECK(int4.gemm_weight_only);
  CHECK_FALSE(int4.head_weight_only);
  CHECK(int4.attention == ComputePath::bf16_tensor);  // FP8 keys, BF16 queries
  CHECK_FALSE(int4.quantise_activations);
}

}  // namespace
}  // namespace roofcast
