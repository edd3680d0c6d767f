#pragma once

#include "roofcast/plan/sweep_space.hpp"

#include "support/forecast_fixtures.hpp"

namespace roofcast::test {

/// Two models (one with a tied head), two devices (one without FP8), schemes with and without a
/// native path, one token of prompt and of output among the sizes.
inline SweepAxes small_axes() {
  SweepAxes axes;
  axes.models = {model(kLlama2_7b), model(kQwen3_06b)};
  axes.devices = {a100(), h100()};
  axes.weights = {"auto", "fp8", "int4_g128"};
  axes.activations = {"auto", "fp8"};
  axes.kv = {"auto", "fp8"};
  axes.runtimes = {&find_runtime("none"), &find_runtime("vllm")};
  axes.prompts = {1, 100, 2048};
  axes.outputs = {1, 2, 100};
  axes.batches = {1, 3, 64};
  return axes;
}

}  // namespace roofcast::test
