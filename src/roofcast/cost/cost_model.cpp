#include "roofcast/cost/cost_model.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace roofcast {
namespace {

/// Below this ratio of the smaller to the larger term, (1 + ratio^p)^(1/p) is 1 in double precision
/// for every p that the constants use, so the two powers can be saved.
constexpr double kNegligible = 1e-9;

}  // namespace

std::string_view name(LimitedBy limit) {
  switch (limit) {
    case LimitedBy::compute:
      return "compute";
    case LimitedBy::memory:
      return "memory";
    case LimitedBy::network:
      return "network";
    case LimitedBy::overhead:
      return "overhead";
  }
  throw InternalError("a limit without a name");
}

Seconds CostTerms::variable() const {
  const Seconds larger = std::max(compute, memory);
  const Seconds smaller = std::min(compute, memory);
  if (std::isinf(exponent) || smaller <= kNegligible * larger)
    return larger;
  return larger * std::pow(1.0 + std::pow(smaller / larger, exponent), 1.0 / exponent);
}

LimitedBy CostTerms::limited_by() const {
  const Seconds moving = memory + activations;
  if (fixed > std::max(compute, moving))
    return LimitedBy::overhead;
  return compute >= moving ? LimitedBy::compute : LimitedBy::memory;
}

std::unique_ptr<const CostModel> make_cost_model(std::string_view level,
                                                 const HardwareProfile& profile) {
  const auto& levels = CostLevels::instance();
  if (level == "best") {
    const auto& all = levels.entries();
    ROOFCAST_CHECK(!all.empty());
    const auto by_rank = [](const auto& a, const auto& b) { return a.second.rank < b.second.rank; };
    return std::max_element(all.begin(), all.end(), by_rank)->second.make(profile);
  }
  if (const CostLevel* found = levels.find(level))
    return found->make(profile);
  auto known = levels.names();
  known.push_back("best");
  std::string listed;
  for (const auto& each : known)
    listed.append(listed.empty() ? "" : ", ").append(each);
  throw UsageError("unknown level '" + printable(level) + "'" + did_you_mean(level, known) +
                   "; known levels: " + listed);
}

}  // namespace roofcast
