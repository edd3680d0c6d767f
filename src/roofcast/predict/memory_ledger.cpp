#include "roofcast/predict/memory_ledger.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/model/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace roofcast {
namespace {

void check_count(std::string_view what, std::int64_t value, std::int64_t limit) {
  if (value >= 1 && value <= limit)
    return;
  throw ConfigError(fmt::format("{} must be from 1 to {}, got {}", what, limit, value));
}

/// Largest n in [1, limit] that fits, 0 when 1 does not; `fits` turns false once and stays so.
/// Doubles first, so that no size is asked for that is far beyond the answer.
template <class Fits>
std::int64_t largest(std::int64_t limit, Fits fits) {
  std::int64_t good = 0;
  std::int64_t bad = 1;
  while (fits(bad)) {
    good = bad;
    if (good == limit)
      return limit;
    bad = std::min(2 * good, limit);
  }
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

Bytes whole(Bytes size) {
  return bytes(std::floor(double(size / bytes(1.0))));
}

/// An answer at the end of what is counted is no limit.
std::optional<std::int64_t> unless_at(std::int64_t cap, std::int64_t answer) {
  return answer < cap ? std::optional(answer) : std::nullopt;
}

}  // namespace

MemoryLedger::MemoryLedger(const Model& model, const PrecisionPlan& plan, const Runtime& runtime,
                           const HardwareProfile* profile, std::int64_t kv_block,
                           double memory_fraction)
    : model_(model),
      plan_(plan),
      runtime_(runtime),
      limits_(engine_limits(runtime, profile)),
      kv_block_(kv_block),
      weights_(weight_bytes(model, plan)),
      engine_(runtime_bytes(runtime, limits_)) {
  check_count("KV block", kv_block, kMaxTokens);
  // Written so that NaN is refused too.
  if (!(memory_fraction > 0.0 && memory_fraction <= 1.0)) {
    throw ConfigError(
        fmt::format("memory fraction must be above 0 and at most 1, got {}", memory_fraction));
  }
  if (profile != nullptr && profile->memory.capacity)
    usable_ = whole(*profile->memory.capacity * memory_fraction);
}

Bytes MemoryLedger::kv_cache(std::int64_t batch, std::int64_t context) const {
  return static_cast<double>(batch) * kv_bytes_allocated(model_, *plan_.kv, context, kv_block_);
}

Bytes MemoryLedger::activations(std::int64_t batch, std::int64_t prompt) const {
  return activation_bytes(model_, plan_, runtime_,
                          activation_step(runtime_, limits_, batch, prompt));
}

Bytes MemoryLedger::total(std::int64_t batch, std::int64_t prompt, std::int64_t context) const {
  return weights_.total() + kv_cache(batch, context) +
         activations(batch, std::min(prompt, context)) + engine_;
}

std::optional<std::int64_t> MemoryLedger::max_batch(std::int64_t prompt,
                                                    std::int64_t context) const {
  if (!usable_)
    return std::nullopt;
  const Bytes sequence = kv_cache(1, context);
  const std::int64_t step = std::min(prompt, context);
  const auto fits = [&](std::int64_t batch) {
    return weights_.total() + static_cast<double>(batch) * sequence + activations(batch, step) +
               engine_ <=
           *usable_;
  };
  // Mostly the activations do not depend on the batch; then one division finds the answer.
  const double room = (*usable_ - weights_.total() - activations(1, step) - engine_) / sequence;
  if (room >= 1.0 && room < static_cast<double>(kMaxSequences)) {
    const auto guess = static_cast<std::int64_t>(room);
    if (fits(guess) && !fits(guess + 1))
      return guess;
  }
  return unless_at(kMaxSequences, largest(kMaxSequences, fits));
}

std::optional<std::int64_t> MemoryLedger::max_context(std::int64_t batch,
                                                      std::int64_t prompt) const {
  if (!usable_)
    return std::nullopt;
  const auto fits = [&](std::int64_t context) { return total(batch, prompt, context) <= *usable_; };
  return unless_at(kMaxTokens, largest(context_limit(), fits));
}

std::int64_t MemoryLedger::context_limit() const {
  return model_.card.position_rows ? std::min(kMaxTokens, model_.card.context) : kMaxTokens;
}

void MemoryLedger::check(std::int64_t batch, std::int64_t prompt, std::int64_t context) const {
  check_count("batch", batch, kMaxSequences);
  check_count("context", context, kMaxTokens);
  if (context > context_limit()) {
    throw ConfigError(
        fmt::format("a context of {} tokens is beyond {}, whose learned positions "
                    "end at {}; a shorter prompt or output would help",
                    context, model_.card.name, model_.card.context));
  }
  check_count("prompt", prompt, kMaxTokens);
}

void MemoryLedger::check_total(Bytes total, std::int64_t batch, std::int64_t context) {
  if (total <= bytes(kMaxExact))
    return;
  throw ConfigError(
      fmt::format("batch {} at {} tokens of context takes more than 2^53 bytes; a smaller batch "
                  "or a shorter context would help",
                  batch, context));
}

}  // namespace roofcast
