#include "roofcast/plan/sweep_row.hpp"

#include <algorithm>

namespace roofcast {

std::string_view name_of_status(const HardwareProfile& profile) {
  return kProfileStatusNames[static_cast<std::size_t>(profile.status)];
}

SweepRow row_of(const Forecast& forecast) {
  const ForecastRequest& request = forecast.request;
  SweepRow row;
  row.model = request.model->card.name;
  row.gpu = request.profile->name;
  row.weights = request.plan.weights->name;
  row.activations = request.plan.activations->name;
  row.kv = request.plan.kv->name;
  row.runtime = request.runtime->name;
  row.profile_status = name_of_status(*request.profile);
  row.native = std::none_of(
      forecast.warnings.begin(), forecast.warnings.end(),
      [](const Warning& warning) { return warning.kind == WarningKind::compute_path_missing; });
  row.workload = request.workload;
  row.weights_bytes = forecast.memory.weights;
  row.kv_cache = forecast.memory.kv_cache;
  row.total = forecast.memory.total;
  row.fits = forecast.memory.fits;
  row.max_batch = forecast.memory.max_batch;
  row.prefill = forecast.prefill;
  if (forecast.decode)
    row.decode = *forecast.decode;
  row.ttft = forecast.ttft;
  row.tpot = forecast.tpot;
  row.e2e = forecast.e2e;
  return row;
}

}  // namespace roofcast
