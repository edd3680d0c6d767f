#include "roofcast/plan/row_evaluator.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/predict/warning.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// Enough for every batch of a usual sweep; beyond it the prefill is computed again.
constexpr std::size_t kMaxPrefills = 16'384;

}  // namespace

RowEvaluator::RowEvaluator(const SweepSpace& space)
    : space_(space), prefills_(std::min(space.axes().batches.size(), kMaxPrefills)) {}

RowEvaluator::Outcome RowEvaluator::evaluate(std::int64_t index, SweepRow& row) {
  const std::int64_t group = index / space_.group_size();
  if (group != group_number_)
    enter_group(group);
  if (!group_problem_.empty())
    return {&group_problem_, (group + 1) * space_.group_size()};
  const Workload workload = space_.workload(index);
  if (workload.prompt != sequence_.prompt || workload.output != sequence_.output) {
    enter_sequence(workload);
  }
  if (!sequence_.problem.empty()) {
    const auto batches = static_cast<std::int64_t>(space_.axes().batches.size());
    return {&sequence_.problem, index / batches * batches + batches};
  }
  try {
    const Prefill& first = prefill(index, workload);
    row = names_;
    row.index = index;
    row.workload = workload;
    row.prefill = first.phase;
    row.ttft = first.phase.predicted;
    fill_memory(workload, first.activations, row);
    fill_decode(workload, row);
  } catch (const ConfigError& error) {
    problem_ = error.what();
    return {&problem_, index + 1};
  }
  return {nullptr, index + 1};
}

void RowEvaluator::enter_group(std::int64_t number) {
  group_number_ = number;
  group_ = space_.group(number);
  group_problem_.clear();
  sequence_ = {};
  std::fill(prefills_.begin(), prefills_.end(), Prefill{});
  const SweepSettings& settings = space_.settings();
  const Model& model = *group_.model;
  const HardwareProfile& device = *group_.device;
  try {
    plan_ = plan_precision(model.card, {.weights = std::string(group_.weights),
                                        .activations = std::string(group_.activations),
                                        .kv = std::string(group_.kv),
                                        .embedding = settings.embedding,
                                        .head = settings.head});
    steps_ =
        std::make_unique<StepEvaluator>(model, device, plan_, settings.level, group_.runtime->time);
    ledger_ = std::make_unique<MemoryLedger>(model, plan_, *group_.runtime, &device,
                                             settings.kv_block, settings.memory_fraction);
  } catch (const ConfigError& error) {
    group_problem_ = error.what();
    return;
  } catch (const UsageError& error) {  // a format that cannot serve in its place
    group_problem_ = error.what();
    return;
  }
  names_ = {};
  names_.model = model.card.name;
  names_.gpu = device.name;
  names_.weights = plan_.weights->name;
  names_.activations = plan_.activations->name;
  names_.kv = plan_.kv->name;
  names_.runtime = group_.runtime->name;
  names_.profile_status = name_of_status(device);
  names_.native = path_warnings(device, plan_).empty();
  names_.weights_bytes = ledger_->weights().total();
}

void RowEvaluator::enter_sequence(const Workload& workload) {
  sequence_ = {};
  sequence_.prompt = workload.prompt;
  sequence_.output = workload.output;
  const std::int64_t context = workload.prompt + workload.output;
  // Said without the number, so that however many contexts are too long, there is one reason.
  if (context > ledger_->context_limit()) {
    sequence_.problem =
        fmt::format("prompt and output are longer than the {} tokens that {} can have",
                    format_count(ledger_->context_limit()), group_.model->card.name);
    return;
  }
  try {
    sequence_.kv_cache = ledger_->kv_cache(1, context);
    sequence_.max_batch = ledger_->max_batch(workload.prompt, context);
  } catch (const ConfigError& error) {
    sequence_.problem = error.what();
  }
}

const RowEvaluator::Prefill& RowEvaluator::prefill(std::int64_t index, const Workload& workload) {
  const std::size_t place = static_cast<std::size_t>(index) % space_.axes().batches.size();
  Prefill& known = prefills_[place % prefills_.size()];
  if (known.prompt == workload.prompt && known.batch == workload.batch)
    return known;
  known.phase = steps_->evaluate(prefill_step(workload.batch, workload.prompt));
  known.activations = ledger_->activations(workload.batch, workload.prompt);
  known.prompt = workload.prompt;
  known.batch = workload.batch;
  return known;
}

void RowEvaluator::fill_memory(const Workload& workload, Bytes activations, SweepRow& row) const {
  row.kv_cache = static_cast<double>(workload.batch) * sequence_.kv_cache;
  row.total = ledger_->weights().total() + row.kv_cache + activations + ledger_->engine();
  if (row.total > bytes(kMaxExact))
    throw ConfigError("more than 2^53 bytes of memory");
  row.max_batch = sequence_.max_batch;
  if (const auto usable = ledger_->usable())
    row.fits = row.total <= *usable;
}

void RowEvaluator::fill_decode(const Workload& workload, SweepRow& row) {
  row.e2e = row.ttft;
  const std::int64_t steps = workload.output - 1;
  if (steps == 0)
    return;
  const PhaseForecast sum = steps_->decode_sum(workload.batch, workload.prompt + 1, steps);
  row.e2e += sum.predicted;
  row.decode = sum;
  row.decode *= 1.0 / static_cast<double>(steps);
  row.tpot = row.decode.predicted;
}

}  // namespace roofcast
