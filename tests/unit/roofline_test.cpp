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

/// B300: dense peaks of NVIDIA's DGX B300 sheet; INT8 at a fifteenth of BF16.
HardwareProfile b300() {
  return test::make_device("b300", "blackwell", 7750,
                           {{ComputePath::fp32_vector, 76},
                            {ComputePath::fp64_vector, 1.25},
                            {ComputePath::fp16_tensor, 2250},
                            {ComputePath::bf16_tensor, 2250},
                            {ComputePath::fp8_tensor, 4500},
                            {ComputePath::fp6_tensor, 4500},
                            {ComputePath::fp4_tensor, 13500},
                            {ComputePath::int8_tensor, 153.5}});
}

/// V100 SXM2: tensor units for FP16 alone.
HardwareProfile v100() {
  return test::make_device("v100", "volta", 900,
                           {{ComputePath::fp32_vector, 15.7},
                            {ComputePath::fp64_vector, 7.8},
                            {ComputePath::fp16_tensor, 125},
                            {ComputePath::int8_vector, 62.7}});
}

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
  // Hopper has no FP4 but FP8, which holds every value of unscaled FP4.
  const ResolvedPath fp4 = resolve(h100(), "fp4_e2m1", "fp4_e2m1");
  CHECK(fp4.path == ComputePath::fp8_tensor);
  CHECK(fp4.missing);
}

// "Hopper/Ada: dequantise to FP16 (Marlin)": their FP8 units take no scale per block, and E4M3 does
// not hold an element times 2^-127 ... 2^127.
TEST_CASE("paths: microscaled operands need a device that scales blocks") {
  for (const std::string_view format : {"mxfp8", "mxfp6", "mxfp4", "nvfp4"}) {
    CAPTURE(format);
    const ResolvedPath hopper = resolve(h100(), format, format);
    CHECK(hopper.path == ComputePath::bf16_tensor);
    CHECK(hopper.missing);
  }
  CHECK(resolve(h100(), "mxfp4", "fp8").path == ComputePath::bf16_tensor);
  CHECK(resolve(b300(), "mxfp8", "mxfp8").path == ComputePath::fp8_tensor);
  CHECK(resolve(b300(), "nvfp4", "nvfp4").path == ComputePath::fp4_tensor);
  CHECK(resolve(b300(), "mxfp4", "mxfp8").path == ComputePath::fp8_tensor);  // PTX mxf8f6f4
  CHECK(resolve(b300(), "mxfp4", "mxfp6").path == ComputePath::fp6_tensor);
  CHECK_FALSE(resolve(b300(), "mxfp8", "mxfp8").missing);
}

TEST_CASE("paths: a table of codes is no number of a narrow path") {
  // The 16 values of NF4 are quantiles of a normal distribution (QLoRA, appendix E): 0.0796, 0.1609
  // ... are neither FP8 nor INT8 values.
  for (const std::string_view weights : {"nf4", "nf4_dq", "fp4_bnb"}) {
    CAPTURE(weights);
    CHECK(resolve(h100(), weights, "fp8").path == ComputePath::bf16_tensor);
    CHECK(resolve(h100(), weights, "int8").path == ComputePath::bf16_tensor);
  }
}

TEST_CASE("paths: integer codes of weights run on the activations' narrow path") {
  // llama.cpp multiplies GGUF blocks with INT8 activations in INT8 (vec_dot with Q8_1, Q8_K).
  for (const std::string_view weights : {"q8_0", "q4_k", "q4_0", "iq4_nl"}) {
    CAPTURE(weights);
    CHECK(resolve(h100(), weights, "int8").path == ComputePath::int8_tensor);
    CHECK(resolve(h100(), weights, "int8").weight_only);
    CHECK(resolve(h100(), weights, "fp8").path == ComputePath::bf16_tensor);
  }
  // W4A8: QServe in INT8, TensorRT-LLM's w4a8_awq in FP8, whose 4 significant bits hold -15 ... 15.
  CHECK(resolve(h100(), "int4_g128", "int8").path == ComputePath::int8_tensor);
  CHECK(resolve(h100(), "awq", "int8").path == ComputePath::int8_tensor);
  CHECK(resolve(h100(), "awq", "fp8").path == ComputePath::fp8_tensor);
  CHECK(resolve(h100(), "int8_g128_zp", "int8").path == ComputePath::int8_tensor);
  CHECK(resolve(h100(), "int8_g128_zp", "fp8").path == ComputePath::bf16_tensor);
  CHECK_FALSE(resolve(h100(), "awq", "fp8").missing);
  CHECK(resolve(a100(), "awq", "fp8").missing);
}

TEST_CASE("paths: a native path that is slower than a wider one is left") {
  // B300: INT8 at 153.5 TOP/s, BF16 at 2250 TFLOP/s, which holds INT8 values.
  const ResolvedPath int8 = resolve(b300(), "int8", "int8");
  CHECK(int8.path == ComputePath::bf16_tensor);
  CHECK(int8.missing);
  CHECK(int8.slower == ComputePath::int8_tensor);
  // INT4 codes are FP8 values too, and FP8 is faster there.
  CHECK(resolve(b300(), "int4", "int4").path == ComputePath::fp8_tensor);
  CHECK_FALSE(resolve(h100(), "int8", "int8").slower);
  // V100: dp4a at 62.7 TOP/s beside FP16 at 125 TFLOP/s.
  CHECK(resolve(v100(), "int8", "int8").path == ComputePath::fp16_tensor);
}

TEST_CASE("paths: without BF16, what FP16 holds is faster than BF16, which goes to FP32") {
  // FP16 has FP8's values, subnormals of E5M2 included, but not BF16's range: 65504 against 3e38.
  CHECK(resolve(v100(), "fp8", "fp8").path == ComputePath::fp16_tensor);
  CHECK(resolve(v100(), "fp8", "fp16").path == ComputePath::fp16_tensor);
  CHECK(resolve(v100(), "bf16", "bf16").path == ComputePath::fp32_vector);
  CHECK(resolve(v100(), "int4_g128", "bf16").path == ComputePath::fp32_vector);
}

TEST_CASE("paths: FP16 is rounded to BF16 only where nothing as narrow holds it") {
  const HardwareProfile tpu =
      test::make_device("tpu", "tpu_v5p", 2765, {{ComputePath::bf16_tensor, 459}});
  CHECK(resolve(tpu, "fp16", "fp16").path == ComputePath::bf16_tensor);
  CHECK(resolve(tpu, "fp16", "fp16").missing);
  CHECK_THROWS_AS(resolve(tpu, "fp32", "fp32"), ConfigError);
  // Gaudi 3: 459 TFLOP/s in FP16, 1677 in BF16. Rounding would be another product.
  const HardwareProfile gaudi = test::make_device(
      "gaudi", "gaudi3", 3700, {{ComputePath::fp16_tensor, 459}, {ComputePath::bf16_tensor, 1677}});
  CHECK(resolve(gaudi, "fp16", "fp16").path == ComputePath::fp16_tensor);
  CHECK_FALSE(resolve(gaudi, "fp16", "fp16").missing);
  CHECK(resolve(h100(), "fp16", "bf16").path == ComputePath::bf16_tensor);
}

TEST_CASE("paths: a peak that exists and that nobody states is asked for, not replaced") {
  HardwareProfile spark =
      test::make_device("spark", "blackwell_rtx", 273,
                        {{ComputePath::fp32_vector, 29.7}, {ComputePath::fp4_tensor, 500}});
  spark.unpublished[static_cast<std::size_t>(ComputePath::bf16_tensor)] = true;
  CHECK_THROWS_WITH_AS(
      resolve(spark, "int4_g128", "bf16"),
      "the peak of spark in bf16_tensor is not published, and int4_g128 weights and bf16 "
      "activations are multiplied there: put a measured or quoted compute.bf16_tensor into a copy "
      "of the profile, and name that file instead",
      ConfigError);
  CHECK(resolve(spark, "nvfp4", "nvfp4").path == ComputePath::fp4_tensor);
  CHECK(resolve(spark, "fp32", "fp32").path == ComputePath::fp32_vector);
}

TEST_CASE("paths: of every pair of formats, narrow weights never raise the roof") {
  for (const HardwareProfile& device : {a100(), h100(), b300(), v100(), test::rtx_4090()}) {
    for (const NumberFormat& activations : number_formats()) {
      // FP64 runs on paths that not all of these devices state.
      if (!activations.native_operand || activations.element_bits == 64)
        continue;
      const ComputePath own = resolve_path(device, activations, activations).path;
      for (const NumberFormat& weights : number_formats()) {
        CAPTURE(device.name);
        CAPTURE(weights.name);
        CAPTURE(activations.name);
        if (weights.element_bits == 64)
          continue;
        const ComputePath path = resolve_path(device, weights, activations).path;
        CHECK(*device.peak(path) <= *device.peak(own));
      }
    }
  }
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
