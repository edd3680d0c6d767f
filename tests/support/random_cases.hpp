#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/precision_plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

/// Random models, devices and schemes from a fixed seed: a property that fails, fails the same way
/// each time. Only the engine's raw values are used, because the distributions differ between
/// libraries.
namespace roofcast::test {

class RandomCases {
 public:
  explicit RandomCases(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high].
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(engine_() % span);
  }

  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

  /// Powers of two from 2^low to 2^high.
  std::int64_t power_of_two(int low, int high) { return std::int64_t{1} << whole(low, high); }

  template <class Choices>
  auto pick(const Choices& choices) {
    return choices[static_cast<std::size_t>(
        whole(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }

  /// A dense decoder of some family: with or without windows, grouped heads, gates and a tied head.
  Model model() {
    static constexpr std::array<std::string_view, 5> families = {"llama", "mistral", "gemma3",
                                                                 "qwen3", "gpt2"};
    ModelCard card;
    card.name = "random";
    card.family = pick(families);
    card.vocabulary = whole(100, 300'000);
    card.layers = whole(1, 60);
    card.attention.kv_heads = power_of_two(0, 4);
    card.attention.heads = card.attention.kv_heads * power_of_two(0, 3);
    card.attention.head_dim = 16 * whole(2, 16);
    card.hidden = 64 * whole(1, 128);
    card.feed_forward.gated = card.family != "gpt2";
    card.feed_forward.intermediate = 64 * whole(1, 400);
    card.tied_embeddings = whole(0, 1) == 1;
    card.context = 1'000'000;
    card.weights = whole(0, 1) == 1 ? "bf16" : "fp16";
    if (card.family == "gpt2")
      make_gpt2(card);
    if (card.family == "mistral" || card.family == "gemma3")
      card.attention.window = whole(1, 5000);
    if (card.family == "gemma3")
      card.attention.full_every = whole(1, 8);
    return build_model(card);
  }

  /// A device with random peaks; every path keeps at least the rate of its next wider one.
  HardwareProfile device() {
    static constexpr std::array<std::string_view, 9> architectures = {
        "hopper", "ampere", "blackwell", "blackwell_rtx", "ada",
        "cdna3",  "zen4",   "apple_gpu", "unheard_of"};
    HardwareProfile profile;
    profile.name = "random";
    profile.architecture = pick(architectures);
    profile.vendor = whole(0, 1) == 1 ? "NVIDIA" : "another";
    profile.memory.bandwidth = BytesPerSecond::from_value(real(50e9, 9e12));
    const double vector = real(1e12, 100e12);
    const double tensor = vector * real(1.0, 16.0);
    set(profile, ComputePath::fp32_vector, vector);
    set(profile, ComputePath::bf16_tensor, tensor);
    set(profile, ComputePath::fp16_tensor, tensor);
    if (whole(0, 1) == 1)
      set(profile, ComputePath::int8_tensor, 2 * tensor);
    if (whole(0, 1) == 1)
      set(profile, ComputePath::fp8_tensor, 2 * tensor);
    if (whole(0, 2) == 1)
      set(profile, ComputePath::fp4_tensor, 4 * tensor);
    return profile;
  }

  PrecisionPlan plan(const Model& model) {
    static constexpr std::array<std::string_view, 8> weights = {
        "auto", "bf16", "fp8", "int8", "int4_g128", "nvfp4", "mxfp4", "nf4"};
    static constexpr std::array<std::string_view, 3> activations = {"auto", "fp8", "int8"};
    static constexpr std::array<std::string_view, 3> kv = {"auto", "fp8", "int8"};
    PrecisionRequest request;
    request.weights = pick(weights);
    request.activations = pick(activations);
    request.kv = pick(kv);
    return plan_precision(model.card, request);
  }

 private:
  static void set(HardwareProfile& profile, ComputePath path, double peak) {
    profile.peaks[static_cast<std::size_t>(path)] = FlopsPerSecond::from_value(peak);
  }

  static void make_gpt2(ModelCard& card) {
    card.attention.kv_heads = card.attention.heads;
    card.position_rows = card.context;
  }

  std::mt19937_64 engine_;
};

}  // namespace roofcast::test
