#pragma once

#include "roofcast/predict/forecast.hpp"
#include "roofcast/report/report.hpp"

#include <vector>

namespace roofcast {

/// The answer of `estimate`. `operators`: of the prefill and of the mean decode step; empty unless
/// they were asked for.
Report build_estimate_report(const Forecast& forecast,
                             const std::vector<OperatorForecast>& operators);

/// What the answer of `memory` is made from. `profile` may be null.
struct MemoryAnswer {
  const Model* model = nullptr;
  const HardwareProfile* profile = nullptr;
  const Runtime* runtime = nullptr;
  PrecisionPlan plan;
  Workload workload;
  MemoryRequest request;
  MemoryForecast memory;
  std::vector<Warning> warnings;
};
Report build_memory_report(const MemoryAnswer& answer);

}  // namespace roofcast
