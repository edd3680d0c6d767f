#include "roofcast/predict/runtime.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace roofcast {
namespace {

constexpr Bytes mebibytes(double count) {
  return bytes(count * 1048576.0);
}
constexpr Bytes gibibytes(double count) {
  return bytes(count * 1073741824.0);
}

// A profile states what nvidia-smi reports; CUDA hands out less. Over twelve devices whose two
// totals are public (T4, V100, A10, A100, L40S, RTX 4090, H100, H200, B200) the difference is 266
// to 870 MiB with a median near 480 MiB, 0.9 of which falls inside the default memory fraction.
constexpr Bytes kDriverReserve = mebibytes(432);
// "non_torch_memory" of vLLM logs on one GPU: 0.13 to 0.14 GiB (0.11 on H100), 0.01 to 0.12 GiB in
// 0.6 and 0.7.
constexpr Bytes kNonTorch = mebibytes(143);
// Host time per step with which kernel constants alone met 778 served runs of TensorRT-LLM, vLLM
// and SGLang (TPOT within 9 % at the median); public configurations collected by
// ai-dynamo/aiconfigurator. Its range is a judgement, since no run states it alone: an engine that
// prepares the next step while the kernels of this one run hides all of it, one that schedules,
// samples and detokenises between steps needs several milliseconds.
constexpr EngineTime kServed{
    .step_overhead = seconds(1e-3), .step_overhead_low = {}, .step_overhead_high = seconds(3e-3)};

// llama.cpp brings its own kernels, so that constants fitted on those of other engines miss it.
// 10th and 90th percentile of measured / predicted over 238 runs of llama-bench, Llama 3 8B and 70B
// in F16 and Q4_K_M on 15 devices, May 2024: docs/adr/0007-constants-of-the-fit-level.md.
constexpr std::string_view kLlamaBench =
    "llama-bench on 15 devices (XiongjieDai/GPU-Benchmarks-on-LLM-Inference)";
constexpr EngineTime kLlamaCpp{
    .prefill = EngineBand{.band = {1.02, 3.54}, .measurements = 119, .source = kLlamaBench},
    .decode = EngineBand{.band = {1.00, 1.72}, .measurements = 119, .source = kLlamaBench}};

constexpr std::array<Runtime, 5> kRuntimes = {{
    {.name = "none",
     .title = "weights and KV cache alone",
     .sizing = StepSizing::none,
     .limits = {},
     .large_limits = {},
     .large_from = {},
     .always_small = {},
     .gated_copies = 0,
     .plain_copies = 0,
     .hidden_copies = 0,
     .element_bytes = 0,
     .logit_bytes = 0,
     .logits_stay = false,
     .fixed_activations = {},
     .device_context = {},
     .time = {},
     .source = "nothing is added"},
    {.name = "vllm",
     .title = "vLLM, V1 engine, server defaults",
     .sizing = StepSizing::reserved,
     // max_num_batched_tokens and max_num_seqs of the server; H100, H200, MI300X and larger take
     // the second row, the A100 is excepted by its name. vllm/engine/arg_utils.py.
     .limits = {.step_tokens = 2048, .sequences = 256},
     .large_limits = {.step_tokens = 8192, .sequences = 1024},
     .large_from = gibibytes(70),
     .always_small = "a100",
     .gated_copies = 3,  // gate and up, and their product
     .plain_copies = 2,
     .hidden_copies = 3,  // residual, input, norm
     .element_bytes = 2,
     .logit_bytes = 38,
     .logits_stay = false,
     .fixed_activations = mebibytes(51),
     .device_context = kDriverReserve + kNonTorch,
     .time = kServed,
     .source = "start-up logs of vLLM 0.6 to 0.19 (ADR 0010); graphs are captured outside the "
               "memory fraction"},
    {.name = "trtllm",
     .title = "TensorRT-LLM",
     .sizing = StepSizing::reserved,
     .limits = {.step_tokens = 8192, .sequences = 2048},  // max_num_tokens, max_batch_size
     .large_limits = {},
     .large_from = {},
     .always_small = {},
     .gated_copies = 3,
     .plain_copies = 2,
     .hidden_copies = 3,
     .element_bytes = 2,
     .logit_bytes = 12,
     .logits_stay = true,
     .fixed_activations = {},
     .device_context = kDriverReserve + mebibytes(780),
     .time = kServed,
     .source = "two start-up logs, 2024 and 0.20 (ADR 0010): weak"},
    {.name = "sglang",
     .title = "SGLang",
     .sizing = StepSizing::as_run,
     // chunked_prefill_size and cuda_graph_max_bs by device memory; 2 MiB of graphs per captured
     // sequence. python/sglang/srt/server_args.py.
     .limits = {.step_tokens = 2048, .sequences = 0, .graphs = mebibytes(2.0 * 24)},
     .large_limits = {.step_tokens = 8192, .sequences = 0, .graphs = mebibytes(2.0 * 256)},
     .large_from = gibibytes(60),
     .always_small = {},
     .gated_copies = 3,
     .plain_copies = 2,
     .hidden_copies = 3,
     .element_bytes = 2,
     .logit_bytes = 8,  // FP32 logits and probabilities
     .logits_stay = false,
     .fixed_activations = {},
     .device_context = kDriverReserve + kNonTorch,
     .time = kServed,
     .source = "the engine's own reservation rule for graphs (ADR 0010); not checked against logs"},
    {.name = "llamacpp",
     .title = "llama.cpp, flash attention on",
     .sizing = StepSizing::split,
     .limits = {.step_tokens = 512, .sequences = 512},  // n_ubatch; logits of a whole micro-batch
     .large_limits = {},
     .large_from = {},
     .always_small = {},
     .gated_copies = 2,  // the product is taken in place
     .plain_copies = 1,
     .hidden_copies = 2,
     .element_bytes = 4,
     .logit_bytes = 4,
     .logits_stay = false,
     .fixed_activations = {},
     .device_context = kDriverReserve,
     .time = kLlamaCpp,
     .source = "compute buffers in start-up logs (ADR 0010); no host time per step is published"},
}};

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

}  // namespace

std::span<const Runtime> runtimes() {
  return kRuntimes;
}

const Runtime& find_runtime(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Runtime& runtime : kRuntimes) {
    if (runtime.name == name)
      return runtime;
    names.push_back(runtime.name);
  }
  std::string known;
  for (const auto& n : names)
    known.append(known.empty() ? "" : ", ").append(n);
  throw UsageError("unknown runtime '" + printable(name) + "'" + did_you_mean(name, names) +
                   "; known runtimes: " + known);
}

const EngineLimits& engine_limits(const Runtime& runtime, const HardwareProfile* profile) {
  const bool large = profile != nullptr && profile->memory.capacity &&
                     runtime.large_from > Bytes{} &&
                     *profile->memory.capacity >= runtime.large_from;
  if (!large)
    return runtime.limits;
  const bool excepted =
      !runtime.always_small.empty() && contains_ignoring_case(profile->name, runtime.always_small);
  return excepted ? runtime.limits : runtime.large_limits;
}

ActivationStep activation_step(const Runtime& runtime, const EngineLimits& limits,
                               std::int64_t batch, std::int64_t prompt) {
  switch (runtime.sizing) {
    case StepSizing::none:
      break;
    case StepSizing::reserved:
      return {std::max(limits.step_tokens, batch), std::max(limits.sequences, batch)};
    case StepSizing::split:
      return {limits.step_tokens, limits.sequences};
    case StepSizing::as_run:
      return {std::max(std::min(limits.step_tokens, batch * prompt), batch), batch};
  }
  return {};
}

double widest_live_elements(const Model& model, const Runtime& runtime) {
  double widest = 0;
  for (const LayerGroup& group : model.groups) {
    for (const Module& module : group.modules) {
      double live = 0;
      if (module.kind == ModuleKind::linear)
        live = static_cast<double>(module.rows);
      if (module.kind == ModuleKind::activation) {
        live = static_cast<double>(module.columns) *
               (module.gated ? runtime.gated_copies : runtime.plain_copies);
      }
      widest = std::max(widest, live);
    }
  }
  return widest;
}

Bytes activation_bytes(const Model& model, const PrecisionPlan& plan, const Runtime& runtime,
                       const ActivationStep& step) {
  if (runtime.sizing == StepSizing::none)
    return {};
  const double width = std::max(runtime.element_bytes, effective_bits(*plan.activations) / 8.0);
  const double hidden = static_cast<double>(model.card.hidden);
  const double tokens = static_cast<double>(step.tokens);
  const Bytes layer = bytes(
      tokens * (widest_live_elements(model, runtime) + runtime.hidden_copies * hidden) * width);
  const Bytes logits = bytes(static_cast<double>(step.logit_rows) *
                             static_cast<double>(model.card.vocabulary) * runtime.logit_bytes);
  if (runtime.logits_stay)
    return layer + logits + runtime.fixed_activations;
  // While logits are sampled the hidden states of the step are still alive.
  return std::max(layer, logits + bytes(tokens * hidden * width)) + runtime.fixed_activations;
}

Bytes runtime_bytes(const Runtime& runtime, const EngineLimits& limits) {
  return runtime.device_context + limits.graphs;
}

}  // namespace roofcast
