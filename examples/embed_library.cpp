// Asks the library instead of the program: which batch of Llama 3.1 8B keeps 20 ms per token on an
// H100?
//
//   find_package(roofcast REQUIRED)
//   target_link_libraries(my_tool PRIVATE roofcast::roofcast)
#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/predict/forecast.hpp"
#include "roofcast/units/format.hpp"

#include <cstdio>

int main() {
  using namespace roofcast;
  const Catalogue catalogue;
  const Model model = catalogue.model("llama-3.1-8b");
  const HardwareProfile device = catalogue.hardware("h100-sxm5-80");

  ForecastRequest request;
  request.model = &model;
  request.profile = &device;
  request.plan = plan_precision(model.card, {});
  request.runtime = &find_runtime("vllm");

  for (std::int64_t batch = 1; batch <= 1024; batch *= 2) {
    request.workload.batch = batch;
    const Forecast answer = forecast(request);
    if (!answer.memory.fits.value_or(false) || *answer.tpot > seconds(0.020))
      break;
    std::printf("batch %4lld  TPOT %-8s  %s\n", static_cast<long long>(batch),
                format(*answer.tpot).c_str(), format(*answer.tokens_per_second).c_str());
  }
}
