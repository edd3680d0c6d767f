#include "roofcast/predict/explain/stage.hpp"

#include "roofcast/units/format.hpp"

#include <array>

#include <fmt/format.h>

namespace roofcast::explaining {
namespace {

using StageExplain = Explanation (*)(const Subject&, const Stage&);

template <StageExplain kExplain>
Explanation on_prefill(const Subject& subject) {
  const Step step = prefill_step(subject.workload.batch, subject.workload.prompt);
  return kExplain(subject,
                  {Phase::prefill, "the prefill", subject.forecast.prefill, 1, step, step});
}

template <StageExplain kExplain>
Explanation on_decode(const Subject& subject) {
  if (!subject.forecast.decode) {
    return Draft(14, "the mean decode step", "N - 1 steps for N output tokens")
        .line("one output token comes from the prefill: there is no decode step")
        .is_text("none");
  }
  const std::int64_t steps = subject.forecast.decode_steps;
  const auto step = [&](std::int64_t index) {
    return decode_step(subject.workload.batch, subject.workload.prompt + 1 + index);
  };
  return kExplain(subject, {Phase::decode, "the mean decode step", *subject.forecast.decode, steps,
                            step(0), step(steps - 1)});
}

template <const Cause& kCause>
Explanation on_cause(const Subject& subject, const Stage& stage) {
  return explain_cause(subject, stage, kCause);
}

Explanation explain_steps(const Subject& subject) {
  return Draft(14, "decode steps", "o - 1")
      .symbol("o", "output tokens of a sequence; the first comes from the prefill",
              format_count(subject.workload.output), std::string(kAsked))
      .line(fmt::format("{} - 1", format_count(subject.workload.output)))
      .is(subject.forecast.decode_steps);
}

constexpr std::array kPrefill = {
    Entry{"prefill.flop", on_prefill<explain_work>},
    Entry{"prefill.bytes", on_prefill<explain_bytes>},
    Entry{"prefill.bound_seconds", on_prefill<explain_bound>},
    Entry{"prefill.seconds", on_prefill<explain_time>},
    Entry{"prefill.low_seconds", on_prefill<explain_low>},
    Entry{"prefill.high_seconds", on_prefill<explain_high>},
    Entry{"prefill.limited_by", on_prefill<explain_limit>},
    Entry{"prefill.mfu", on_prefill<explain_mfu>},
    Entry{"prefill.mbu", on_prefill<explain_mbu>},
    Entry{"prefill.provenance", on_prefill<explain_provenance>},
    Entry{"prefill.terms.weights_seconds", on_prefill<on_cause<kWeightsCause>>},
    Entry{"prefill.terms.scales_seconds", on_prefill<on_cause<kScalesCause>>},
    Entry{"prefill.terms.kv_seconds", on_prefill<on_cause<kKvCause>>},
    Entry{"prefill.terms.activations_seconds", on_prefill<on_cause<kActivationsCause>>},
    Entry{"prefill.terms.compute_seconds", on_prefill<on_cause<kComputeCause>>},
    Entry{"prefill.terms.network_seconds", on_prefill<on_cause<kNetworkCause>>},
    Entry{"prefill.terms.overhead_seconds", on_prefill<on_cause<kOverheadCause>>}};

constexpr std::array kDecode = {
    Entry{"decode.flop", on_decode<explain_work>},
    Entry{"decode.bytes", on_decode<explain_bytes>},
    Entry{"decode.bound_seconds", on_decode<explain_bound>},
    Entry{"decode.seconds", on_decode<explain_time>},
    Entry{"decode.low_seconds", on_decode<explain_low>},
    Entry{"decode.high_seconds", on_decode<explain_high>},
    Entry{"decode.limited_by", on_decode<explain_limit>},
    Entry{"decode.mfu", on_decode<explain_mfu>},
    Entry{"decode.mbu", on_decode<explain_mbu>},
    Entry{"decode.provenance", on_decode<explain_provenance>},
    Entry{"decode.terms.weights_seconds", on_decode<on_cause<kWeightsCause>>},
    Entry{"decode.terms.scales_seconds", on_decode<on_cause<kScalesCause>>},
    Entry{"decode.terms.kv_seconds", on_decode<on_cause<kKvCause>>},
    Entry{"decode.terms.activations_seconds", on_decode<on_cause<kActivationsCause>>},
    Entry{"decode.terms.compute_seconds", on_decode<on_cause<kComputeCause>>},
    Entry{"decode.terms.network_seconds", on_decode<on_cause<kNetworkCause>>},
    Entry{"decode.terms.overhead_seconds", on_decode<on_cause<kOverheadCause>>},
    Entry{"decode.steps", explain_steps}};

}  // namespace

StepEvaluator evaluator_of(const Subject& subject) {
  return {subject.model, subject.profile, subject.plan, subject.request.level,
          subject.runtime.time};
}

std::vector<OperatorMean> operators_of(const Subject& subject, const Stage& stage) {
  StepEvaluator evaluator = evaluator_of(subject);
  if (stage.single())
    return evaluator.step_operators(stage.first);
  return evaluator.decode_operators(subject.workload.batch, stage.first.context_tokens,
                                    stage.steps);
}

void add_step_line(const Stage& stage, const Step& step, const std::string& text, Draft& draft) {
  if (stage.single()) {
    draft.line(text);
    return;
  }
  const std::int64_t index = step.context_tokens - stage.first.context_tokens + 1;
  draft.line(fmt::format("step {}, context {}: {}", format_count(index),
                         format_count(step.context_tokens), text));
}

std::span<const Entry> prefill_entries() {
  return kPrefill;
}

std::span<const Entry> decode_entries() {
  return kDecode;
}

}  // namespace roofcast::explaining
