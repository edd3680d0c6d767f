#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"

#include <cstdint>
#include <string>

/// Models and devices for tests of predict/, built without files. Shapes are those of the public
/// config.json of each model.
namespace roofcast::test {

struct Shape {
  const char* name;
  const char* family = "llama";
  std::int64_t vocabulary = 32000;
  std::int64_t hidden = 4096;
  std::int64_t layers = 32;
  std::int64_t heads = 32;
  std::int64_t kv_heads = 32;
  std::int64_t head_dim = 128;
  std::int64_t intermediate = 11008;
  bool tied = false;
  std::int64_t context = 4096;
  const char* weights = "bf16";
};

inline constexpr Shape kLlama2_7b{.name = "llama-2-7b", .weights = "fp16"};
inline constexpr Shape kLlama2_70b{.name = "llama-2-70b",
                                   .hidden = 8192,
                                   .layers = 80,
                                   .heads = 64,
                                   .kv_heads = 8,
                                   .intermediate = 28672,
                                   .weights = "fp16"};
inline constexpr Shape kLlama31_8b{.name = "llama-3.1-8b",
                                   .vocabulary = 128256,
                                   .kv_heads = 8,
                                   .intermediate = 14336,
                                   .context = 131072};
inline constexpr Shape kLlama31_70b{.name = "llama-3.1-70b",
                                    .vocabulary = 128256,
                                    .hidden = 8192,
                                    .layers = 80,
                                    .heads = 64,
                                    .kv_heads = 8,
                                    .intermediate = 28672,
                                    .context = 131072};
inline constexpr Shape kQwen3_32b{.name = "qwen3-32b",
                                  .family = "qwen3",
                                  .vocabulary = 151936,
                                  .hidden = 5120,
                                  .layers = 64,
                                  .heads = 64,
                                  .kv_heads = 8,
                                  .intermediate = 25600,
                                  .context = 40960};
inline constexpr Shape kQwen3_06b{.name = "qwen3-0.6b",
                                  .family = "qwen3",
                                  .vocabulary = 151936,
                                  .hidden = 1024,
                                  .layers = 28,
                                  .heads = 16,
                                  .kv_heads = 8,
                                  .intermediate = 3072,
                                  .tied = true,
                                  .context = 40960};

inline ModelCard card(const Shape& shape) {
  ModelCard card;
  card.name = shape.name;
  card.family = shape.family;
  card.vocabulary = shape.vocabulary;
  card.hidden = shape.hidden;
  card.layers = shape.layers;
  card.attention.heads = shape.heads;
  card.attention.kv_heads = shape.kv_heads;
  card.attention.head_dim = shape.head_dim;
  card.feed_forward.intermediate = shape.intermediate;
  card.tied_embeddings = shape.tied;
  card.context = shape.context;
  card.weights = shape.weights;
  card.source = "public config.json";
  return card;
}

inline Model model(const Shape& shape) {
  return build_model(card(shape));
}

inline PrecisionPlan plan(const Model& model, const std::string& weights = "auto",
                          const std::string& activations = "auto", const std::string& kv = "auto") {
  PrecisionRequest request;
  request.weights = weights;
  request.activations = activations;
  request.kv = kv;
  return plan_precision(model.card, request);
}

/// A device that has nothing but a memory size.
inline HardwareProfile device(Bytes capacity, const std::string& name = "test-device") {
  HardwareProfile profile;
  profile.name = name;
  profile.memory.capacity = capacity;
  profile.memory.bandwidth = BytesPerSecond::from_value(1e12);
  return profile;
}

inline HardwareProfile a100() {
  HardwareProfile profile = device(bytes(81920.0 * 1048576.0), "nvidia-a100-sxm4-80gb");
  profile.architecture = "ampere";
  profile.memory.bandwidth = BytesPerSecond::from_value(2039e9);
  const auto set = [&](ComputePath path, double tera) {
    profile.peaks[static_cast<std::size_t>(path)] = FlopsPerSecond::from_value(tera * 1e12);
  };
  set(ComputePath::fp32_vector, 19.5);
  set(ComputePath::tf32_tensor, 156);
  set(ComputePath::fp16_tensor, 312);
  set(ComputePath::bf16_tensor, 312);
  set(ComputePath::int8_tensor, 624);
  return profile;
}

inline HardwareProfile h100() {
  HardwareProfile profile = device(bytes(81559.0 * 1048576.0), "nvidia-h100-sxm5-80gb");
  profile.architecture = "hopper";
  profile.memory.bandwidth = BytesPerSecond::from_value(3350e9);
  const auto set = [&](ComputePath path, double tera) {
    profile.peaks[static_cast<std::size_t>(path)] = FlopsPerSecond::from_value(tera * 1e12);
  };
  set(ComputePath::fp32_vector, 66.9);
  set(ComputePath::tf32_tensor, 494.7);
  set(ComputePath::fp16_tensor, 989.4);
  set(ComputePath::bf16_tensor, 989.4);
  set(ComputePath::fp8_tensor, 1978.9);
  set(ComputePath::int8_tensor, 1978.9);
  return profile;
}

}  // namespace roofcast::test
