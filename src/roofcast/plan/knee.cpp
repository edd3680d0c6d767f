#include "roofcast/plan/knee.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/predict/phase.hpp"

namespace roofcast {

Knee find_knee(const ForecastRequest& request, std::int64_t limit) {
  ROOFCAST_CHECK(request.workload.output >= 2 && limit >= 1);
  StepEvaluator steps(*request.model, *request.profile, request.plan, request.level,
                      request.runtime->time);
  const std::int64_t prompt = request.workload.prompt;
  const std::int64_t output = request.workload.output;
  const auto tpot = [&](std::int64_t b) {
    return steps.decode_sum(b, prompt + 1, output - 1).predicted / static_cast<double>(output - 1);
  };
  // Power at b + 1 against power at b, without dividing by times that may be tiny.
  const auto still_rises = [&](std::int64_t b) {
    const double slower = tpot(b + 1) / tpot(b);
    return static_cast<double>(b + 1) > static_cast<double>(b) * slower * slower;
  };
  std::int64_t low = 1;
  std::int64_t high = limit;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (still_rises(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, low == limit && still_rises(limit)};
}

}  // namespace roofcast
