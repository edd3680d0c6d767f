#pragma once

#include "roofcast/plan/scenario.hpp"
#include "roofcast/predict/forecast.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// What is to be compared, with the names that the user gave, which are shorter than the full ones.
struct Contender {
  Scenario scenario;
  std::string model;
  std::string device;
};

/// One column of a comparison.
struct Candidate {
  std::string name;   ///< what tells it from the others: the device, the model, the scheme
  Scenario scenario;  ///< keeps alive what `forecast` points to
  std::optional<Forecast> forecast;  ///< absent when the configuration cannot be
  std::string problem;               ///< then why
};

/// What candidates are ranked by in the relative lines.
enum class Contest { prefill, decode };

/// How much faster the fastest candidate is than another: 1 for itself.
struct Standing {
  std::size_t candidate = 0;
  double times = 1.0;  ///< its time over the fastest one's
  bool fits = true;    ///< false where it does not: a time that cannot be had
};

/// Candidates that have a time in the contest, fastest first; what does not fit comes after all
/// that does.
std::vector<Standing> standings(const std::vector<Candidate>& candidates, Contest contest);

/// Forecasts each contender under the name that tells it from the others: of models, devices and
/// schemes those that differ.
/// @throws UsageError  less than two, or two that are the same
std::vector<Candidate> compare(const std::vector<Contender>& contenders);

}  // namespace roofcast
