#pragma once

#include "roofcast/predict/explain/draft.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What the explanations of prefill and decode share; nothing else includes it.
namespace roofcast::explaining {

/// The prefill step, or the decode steps of which the mean is explained.
struct Stage {
  Phase phase;
  std::string title;  ///< "the prefill", "the mean decode step"
  const PhaseForecast& figures;
  std::int64_t steps;  ///< 1 for the prefill
  Step first;
  Step last;

  [[nodiscard]] bool single() const { return phase == Phase::prefill; }
};

/// The evaluator that the forecast was made with.
StepEvaluator evaluator_of(const Subject& subject);

/// The operators of the prefill, or of the mean decode step.
std::vector<OperatorMean> operators_of(const Subject& subject, const Stage& stage);

/// Adds "step 1, context 2,049: TEXT" for a decode step; TEXT alone for the prefill.
void add_step_line(const Stage& stage, const Step& step, const std::string& text, Draft& draft);

Explanation explain_work(const Subject& subject, const Stage& stage);
Explanation explain_bytes(const Subject& subject, const Stage& stage);
Explanation explain_bound(const Subject& subject, const Stage& stage);
Explanation explain_time(const Subject& subject, const Stage& stage);
Explanation explain_low(const Subject& subject, const Stage& stage);
Explanation explain_high(const Subject& subject, const Stage& stage);
Explanation explain_limit(const Subject& subject, const Stage& stage);
Explanation explain_mfu(const Subject& subject, const Stage& stage);
Explanation explain_mbu(const Subject& subject, const Stage& stage);
Explanation explain_provenance(const Subject& subject, const Stage& stage);

/// One of the terms that a predicted time is split into.
struct Cause {
  Seconds TimeTerms::*term;
  const char* name;
  const char* share;  ///< what part of an operator's time counts here
};
Explanation explain_cause(const Subject& subject, const Stage& stage, const Cause& cause);

inline constexpr Cause kWeightsCause{
    &TimeTerms::weights, "weights",
    "operators that memory limits: their weights' share of the bytes"};
inline constexpr Cause kScalesCause{
    &TimeTerms::scales, "scales", "operators that memory limits: their scales' share of the bytes"};
inline constexpr Cause kKvCause{&TimeTerms::kv, "the KV cache",
                                "operators that memory limits: the cache's share of the bytes"};
inline constexpr Cause kActivationsCause{
    &TimeTerms::activations, "activations",
    "operators that memory limits: their activations' share of the bytes; attention's are apart"};
inline constexpr Cause kComputeCause{&TimeTerms::compute, "compute",
                                     "operators that compute limits"};
inline constexpr Cause kNetworkCause{&TimeTerms::network, "the network",
                                     "collectives; none on one device"};
inline constexpr Cause kOverheadCause{&TimeTerms::overhead, "overhead",
                                      "fixed cost of every kernel, and the engine's host time"};

}  // namespace roofcast::explaining
