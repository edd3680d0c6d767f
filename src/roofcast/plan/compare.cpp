#include "roofcast/plan/compare.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <set>

namespace roofcast {
namespace {

std::optional<Seconds> time_of(const Forecast& forecast, Contest contest) {
  return contest == Contest::prefill ? std::optional<Seconds>(forecast.ttft) : forecast.tpot;
}

/// Adds to each candidate's name a part in which the contenders differ.
template <class Part>
void add_part(std::vector<Candidate>& candidates, const std::vector<Contender>& contenders,
              Part part) {
  const bool alike = std::all_of(contenders.begin(), contenders.end(), [&](const Contender& each) {
    return part(each) == part(contenders.front());
  });
  if (alike)
    return;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::string& name = candidates[i].name;
    name.append(name.empty() ? "" : " ").append(part(contenders[i]));
  }
}

/// The same for a format: `asked` tells whether contenders differ, `role` is what the name shows.
void add_part(std::vector<Candidate>& candidates, const std::vector<Contender>& contenders,
              std::string PrecisionRequest::*asked, std::string_view prefix,
              const NumberFormat* PrecisionPlan::*role) {
  const bool alike = std::all_of(contenders.begin(), contenders.end(), [&](const Contender& each) {
    return each.scenario.precision.*asked == contenders.front().scenario.precision.*asked;
  });
  if (alike)
    return;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const NumberFormat* format = contenders[i].scenario.request().plan.*role;
    std::string& name = candidates[i].name;
    name.append(name.empty() ? "" : " ").append(prefix).append(format->name);
  }
}

/// "llama-2-7b on nvidia-a100-sxm4-80gb, fp16 weights, ...": the same for the same configuration,
/// whatever names it was asked by.
std::string full_name(const Scenario& scenario) {
  const PrecisionPlan plan = scenario.request().plan;
  return scenario.model->card.name + " on " + scenario.profile->name + ", weights " +
         std::string(plan.weights->name) + ", activations " + std::string(plan.activations->name) +
         ", kv " + std::string(plan.kv->name);
}

void require_distinct(const std::vector<Contender>& contenders) {
  if (contenders.size() < 2) {
    throw UsageError(
        "there is one candidate only; name two models, devices or formats to compare, as in --gpu "
        "a100-sxm4-80,h100-sxm5-80");
  }
  std::set<std::string> names;
  for (const Contender& each : contenders) {
    if (!names.insert(full_name(each.scenario)).second)
      throw UsageError("two candidates are the same: " + full_name(each.scenario));
  }
}

}  // namespace

std::vector<Candidate> compare(const std::vector<Contender>& contenders) {
  require_distinct(contenders);
  std::vector<Candidate> candidates(contenders.size());
  add_part(candidates, contenders, [](const Contender& each) { return each.model; });
  add_part(candidates, contenders, [](const Contender& each) { return each.device; });
  // Formats count as different where they were asked for differently: "auto" follows the model.
  add_part(candidates, contenders, &PrecisionRequest::weights, "", &PrecisionPlan::weights);
  add_part(candidates, contenders, &PrecisionRequest::activations,
           "a:", &PrecisionPlan::activations);
  add_part(candidates, contenders, &PrecisionRequest::kv, "kv:", &PrecisionPlan::kv);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].scenario = contenders[i].scenario;
    try {
      candidates[i].forecast = forecast(candidates[i].scenario.request());
    } catch (const ConfigError& error) {
      candidates[i].problem = error.what();
    }
  }
  return candidates;
}

std::vector<Standing> standings(const std::vector<Candidate>& candidates, Contest contest) {
  std::vector<Standing> result;
  const auto time = [&](const Standing& standing) {
    return *time_of(*candidates[standing.candidate].forecast, contest);
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& forecast = candidates[i].forecast;
    if (!forecast || !time_of(*forecast, contest))
      continue;
    result.push_back({.candidate = i, .fits = forecast->memory.fits.value_or(true)});
  }
  std::stable_sort(result.begin(), result.end(), [&](const Standing& a, const Standing& b) {
    return a.fits != b.fits ? a.fits : time(a) < time(b);
  });
  for (Standing& standing : result)
    standing.times = time(standing) / time(result.front());
  return result;
}

}  // namespace roofcast
