#include "roofcast/predict/invariants.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/model/parameter_count.hpp"
#include "roofcast/predict/memory.hpp"
#include "roofcast/predict/phase.hpp"
#include "roofcast/predict/runtime.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr double kRounding = 1e-12;  // sums of some hundred doubles
constexpr std::array<std::int64_t, 6> kBatches = {1, 2, 8, 32, 128, 1024};
constexpr std::int64_t kSummedSteps = 64;
constexpr std::array<std::string_view, 4> kNarrower = {"int8", "nf4", "int4_g128", "int4_g32"};

/// `small` <= `large` but for rounding.
template <class Quantity>
bool at_most(Quantity small, Quantity large) {
  return small <= large * (1.0 + kRounding);
}

/// Counts cases and keeps the first that fails.
class Tally {
 public:
  explicit Tally(std::string_view invariant) { result_.invariant = invariant; }

  template <class Describe>
  void expect(bool condition, Describe describe) {
    ++result_.cases;
    if (condition || !result_.holds.value_or(true))
      return;
    result_.holds = false;
    result_.detail = describe();
  }
  void not_tried(std::string why) { result_.detail = std::move(why); }

  InvariantResult finish() {
    if (result_.cases > 0 && !result_.holds)
      result_.holds = true;
    return std::move(result_);
  }

 private:
  InvariantResult result_;
};

std::int64_t longest_context(const Model& model) {
  return std::min(model.card.context, model.card.position_rows.value_or(model.card.context));
}

/// Around what changes with the context: blocks of 16, windows, the model's own length.
std::vector<std::int64_t> contexts_of(const Model& model) {
  std::vector<std::int64_t> contexts = {1, 2, 16, 17, 512, 2048, longest_context(model)};
  for (const LayerGroup& group : model.groups) {
    for (const Module& module : group.modules) {
      if (!module.attention.window)
        continue;
      for (const std::int64_t off : {-1, 0, 1})
        contexts.push_back(*module.attention.window + off);
    }
  }
  std::erase_if(contexts, [&](std::int64_t c) { return c < 1 || c > longest_context(model); });
  std::sort(contexts.begin(), contexts.end());
  contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
  return contexts;
}

std::string describe_step(const Step& step) {
  return fmt::format("{} at batch {}, context {}",
                     step.phase == Phase::prefill ? "prefill" : "decode",
                     format_count(step.sequences), format_count(step.context_tokens));
}

/// The two steps of a batch and a context.
std::array<Step, 2> steps_at(std::int64_t batch, std::int64_t context) {
  return {prefill_step(batch, context), decode_step(batch, context)};
}

class PairCheck {
 public:
  PairCheck(const Model& model, const HardwareProfile& profile)
      : model_(model),
        profile_(profile),
        plan_(plan_precision(model.card, {})),
        contexts_(contexts_of(model)),
        evaluator_(model, profile, plan_, "best") {}

  std::vector<InvariantResult> run() {
    return {bound_below_prediction(),
            grows_with_batch(),
            grows_with_context(),
            fewer_bits(),
            closed_form(),
            largest_batch()};
  }

 private:
  InvariantResult bound_below_prediction() {
    Tally tally("bound below prediction");
    for_each_step([&](const Step& step) {
      const PhaseForecast phase = evaluator_.evaluate(step);
      tally.expect(phase.bound > Seconds{} && at_most(phase.bound, phase.predicted) &&
                       at_most(phase.low, phase.predicted) && at_most(phase.predicted, phase.high),
                   [&] {
                     return fmt::format("{}: bound {}, predicted {} in [{}, {}]",
                                        describe_step(step), format(phase.bound),
                                        format(phase.predicted), format(phase.low),
                                        format(phase.high));
                   });
    });
    return tally.finish();
  }

  InvariantResult grows_with_batch() {
    Tally tally("slower with batch");
    for (const std::int64_t context : contexts_) {
      for (std::size_t i = 1; i < kBatches.size(); ++i) {
        compare_times(tally, steps_at(kBatches[i - 1], context), steps_at(kBatches[i], context));
      }
    }
    return tally.finish();
  }

  InvariantResult grows_with_context() {
    Tally tally("slower with context");
    for (const std::int64_t batch : kBatches) {
      for (std::size_t i = 1; i < contexts_.size(); ++i) {
        compare_times(tally, steps_at(batch, contexts_[i - 1]), steps_at(batch, contexts_[i]));
      }
    }
    return tally.finish();
  }

  void compare_times(Tally& tally, const std::array<Step, 2>& before,
                     const std::array<Step, 2>& after) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      const PhaseForecast one = evaluator_.evaluate(before[i]);
      const PhaseForecast other = evaluator_.evaluate(after[i]);
      tally.expect(at_most(one.bound, other.bound) && at_most(one.predicted, other.predicted), [&] {
        return fmt::format("{} takes {}, {} takes {}", describe_step(before[i]),
                           format(one.predicted), describe_step(after[i]), format(other.predicted));
      });
    }
  }

  /// Weights in ever fewer bits, the rest of the plan as it is: bytes and the bound of a decode
  /// fall.
  InvariantResult fewer_bits() {
    Tally tally("fewer bits, fewer bytes");
    std::vector<const NumberFormat*> formats{plan_.weights};
    for (const std::string_view name : kNarrower)
      formats.push_back(&number_format(name));
    std::sort(formats.begin(), formats.end(), [](const NumberFormat* a, const NumberFormat* b) {
      return effective_bits(*a) > effective_bits(*b);
    });
    for (std::size_t i = 1; i < formats.size(); ++i) {
      const PrecisionPlan wide = with_weights(*formats[i - 1]);
      const PrecisionPlan narrow = with_weights(*formats[i]);
      const Bytes wide_bytes = weight_bytes(model_, wide).total();
      const Bytes narrow_bytes = weight_bytes(model_, narrow).total();
      tally.expect(
          narrow_bytes <= wide_bytes && at_most(decode_memory(narrow), decode_memory(wide)), [&] {
            return fmt::format("{} takes {}, {} takes {}", formats[i - 1]->name, format(wide_bytes),
                               formats[i]->name, format(narrow_bytes));
          });
    }
    return tally.finish();
  }

  InvariantResult closed_form() {
    Tally tally("closed form equals steps");
    for (const std::int64_t batch : kBatches) {
      for (const std::int64_t first : contexts_) {
        const std::int64_t steps = std::min(kSummedSteps, longest_context(model_) - first + 1);
        const PhaseForecast closed = evaluator_.decode_sum(batch, first, steps);
        Seconds predicted{};
        Seconds bound{};
        for (std::int64_t i = 0; i < steps; ++i) {
          const PhaseForecast step = evaluator_.evaluate(decode_step(batch, first + i));
          predicted += step.predicted;
          bound += step.bound;
        }
        const bool same = at_most(closed.predicted, predicted) &&
                          at_most(predicted, closed.predicted) && at_most(closed.bound, bound) &&
                          at_most(bound, closed.bound);
        tally.expect(same, [&] {
          return fmt::format("batch {}, {} steps from context {}: {} against {}",
                             format_count(batch), steps, format_count(first),
                             format(closed.predicted), format(predicted));
        });
      }
    }
    return tally.finish();
  }

  InvariantResult largest_batch() {
    Tally tally("largest batch is exact");
    for (const std::int64_t context : contexts_) {
      MemoryRequest request{.batch = 1, .context = context, .prompt = context};
      const MemoryForecast one = ledger(request);
      if (!one.usable) {
        tally.not_tried("the profile states no memory size");
        break;
      }
      const std::int64_t largest = one.max_batch.value_or(kMaxSequences);
      const auto fits = [&](std::int64_t batch) {
        request.batch = batch;
        return ledger(request).fits.value_or(false);
      };
      const bool holds =
          (largest == 0 || fits(largest)) && (largest >= kMaxSequences || !fits(largest + 1));
      tally.expect(holds, [&] {
        return fmt::format("at context {} the largest batch is said to be {}",
                           format_count(context), format_count(largest));
      });
    }
    return tally.finish();
  }

  [[nodiscard]] MemoryForecast ledger(const MemoryRequest& request) const {
    return forecast_memory(model_, plan_, find_runtime("none"), request, &profile_);
  }

  [[nodiscard]] PrecisionPlan with_weights(const NumberFormat& format) const {
    PrecisionPlan plan = plan_;
    plan.weights = &format;
    return plan;
  }

  /// The time that the memory alone takes: the compute roof may be lower for a wider format.
  [[nodiscard]] Seconds decode_memory(const PrecisionPlan& plan) const {
    return StepEvaluator(model_, profile_, plan, "spec").evaluate(decode_step(1, 1)).ideal_memory;
  }

  template <class Visit>
  void for_each_step(Visit visit) {
    for (const std::int64_t batch : kBatches) {
      for (const std::int64_t context : contexts_) {
        for (const Step& step : steps_at(batch, context))
          visit(step);
      }
    }
  }

  const Model& model_;
  const HardwareProfile& profile_;
  PrecisionPlan plan_;
  std::vector<std::int64_t> contexts_;
  StepEvaluator evaluator_;
};

}  // namespace

std::vector<InvariantResult> check_invariants(const Model& model, const HardwareProfile& profile) {
  try {
    return PairCheck(model, profile).run();
  } catch (const ConfigError& error) {
    // Legal, but nothing to time: the device publishes no peak or no bandwidth that would serve.
    return {{.invariant = "all", .cases = 0, .holds = {}, .detail = error.what()}};
  }
}

}  // namespace roofcast
