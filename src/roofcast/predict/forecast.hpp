#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/parameter_count.hpp"
#include "roofcast/predict/memory.hpp"
#include "roofcast/predict/phase.hpp"
#include "roofcast/predict/warning.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofcast {

struct Workload {
  std::int64_t batch = 1;
  std::int64_t prompt = 2048;
  std::int64_t output = 256;
};

/// What an estimate is asked with; names are resolved by the caller.
struct ForecastRequest {
  const Model* model = nullptr;
  const HardwareProfile* profile = nullptr;
  PrecisionPlan plan;
  Workload workload;
  const Runtime* runtime = nullptr;
  std::string level = "best";
  std::int64_t kv_block = 16;
  double memory_fraction = 0.9;
};

struct OperatorForecast {
  Phase phase = Phase::prefill;
  Operator op;          ///< one run at the mean of the phase's steps; `repeat` runs per step
  Seconds bound{};      ///< of one run
  Seconds predicted{};  ///< of one run
  LimitedBy limited_by = LimitedBy::memory;
};

struct Forecast {
  ForecastRequest request;
  ParameterCount parameters;
  MemoryForecast memory;
  PhaseForecast prefill;
  std::optional<PhaseForecast> decode;  ///< the mean step; absent when output is 1
  std::int64_t decode_steps = 0;        ///< output - 1
  Seconds ttft{};                       ///< the prefill, nothing queued
  std::optional<Seconds> tpot;          ///< (e2e - ttft) / (output - 1)
  Seconds e2e{};
  std::optional<TokensPerSecond> tokens_per_second;  ///< batch / tpot: decode, all sequences
  std::optional<TokensPerSecond> tokens_per_second_per_sequence;  ///< 1 / tpot
  TokensPerSecond request_tokens_per_second{};                    ///< batch x output / e2e
  double critical_batch = 0;  ///< sequences at which the linear layers turn from memory to compute
  std::string prefill_provenance;
  std::string decode_provenance;
  std::vector<Warning> warnings;
};

/// Sequences at which the linear layers of a decode step turn from memory to compute: reading their
/// weights takes as long as multiplying with them, at the datasheet's rates. docs/model.md Eq. 21.
double critical_batch(StepEvaluator& evaluator, const HardwareProfile& profile);

/// docs/model.md sections 4 to 6. @throws ConfigError  numbers that do not fit together
Forecast forecast(const ForecastRequest& request);

/// The operators of the prefill, then those of the mean decode step where there is one. All runs of
/// a phase together are the phase's figures, but for the engine's time; at a level that is the
/// bound each operator stands for itself. docs/model.md Eq. 14.
std::vector<OperatorForecast> operator_forecasts(const ForecastRequest& request);

}  // namespace roofcast
