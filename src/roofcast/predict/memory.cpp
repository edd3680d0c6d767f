#include "roofcast/predict/memory.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/parameter_count.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace roofcast {
namespace {

void check_count(std::string_view what, std::int64_t value, std::int64_t limit) {
  if (value >= 1 && value <= limit)
    return;
  throw ConfigError(fmt::format("{} must be from 1 to {}, got {}", what, limit, value));
}

/// Tokens that a sequence can have at all: a learned table of positions ends somewhere.
std::int64_t context_limit(const Model& model) {
  return model.card.position_rows ? std::min(kMaxTokens, model.card.context) : kMaxTokens;
}

void check(const Model& model, const MemoryRequest& request) {
  check_count("batch", request.batch, kMaxSequences);
  check_count("context", request.context, kMaxTokens);
  if (request.context > context_limit(model)) {
    throw ConfigError(
        fmt::format("a context of {} tokens is beyond {}, whose learned positions "
                    "end at {}; a shorter prompt or output would help",
                    request.context, model.card.name, model.card.context));
  }
  check_count("prompt", request.prompt, kMaxTokens);
  check_count("KV block", request.kv_block, kMaxTokens);
  // Written so that NaN is refused too.
  if (!(request.memory_fraction > 0.0 && request.memory_fraction <= 1.0)) {
    throw ConfigError(fmt::format("memory fraction must be above 0 and at most 1, got {}",
                                  request.memory_fraction));
  }
}

/// The ledger as a function of batch and context; never falls when either grows.
class Ledger {
 public:
  Ledger(const Model& model, const PrecisionPlan& plan, const Runtime& runtime,
         const MemoryRequest& request, const HardwareProfile* profile)
      : model_(model),
        plan_(plan),
        runtime_(runtime),
        request_(request),
        limits_(engine_limits(runtime, profile)),
        weights_(weight_bytes(model, plan)) {}

  [[nodiscard]] const StorageBytes& weights() const { return weights_; }
  [[nodiscard]] Bytes engine() const { return runtime_bytes(runtime_, limits_); }

  [[nodiscard]] Bytes kv_cache(std::int64_t batch, std::int64_t context) const {
    return static_cast<double>(batch) *
           kv_bytes_allocated(model_, *plan_.kv, context, request_.kv_block);
  }
  [[nodiscard]] Bytes activations(std::int64_t batch, std::int64_t prompt) const {
    return activation_bytes(model_, plan_, runtime_,
                            activation_step(runtime_, limits_, batch, prompt));
  }
  [[nodiscard]] Bytes total(std::int64_t batch, std::int64_t context) const {
    return weights_.total() + kv_cache(batch, context) +
           activations(batch, std::min(request_.prompt, context)) + engine();
  }

 private:
  const Model& model_;
  const PrecisionPlan& plan_;
  const Runtime& runtime_;
  const MemoryRequest& request_;
  const EngineLimits& limits_;
  StorageBytes weights_;
};

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

/// Whole blocks of `block` bytes in `pool`, exact although the quotient is rounded.
std::int64_t whole_blocks(Bytes pool, Bytes block) {
  if (pool < block)
    return 0;
  auto count = static_cast<std::int64_t>(std::floor(std::min(double(pool / block), kMaxExact)));
  if (static_cast<double>(count) * block > pool)
    --count;
  return count;
}

void fill_device(const Ledger& ledger, const PrecisionPlan& plan, const Model& model,
                 const MemoryRequest& request, Bytes capacity, MemoryForecast& out) {
  const Bytes usable = capacity * request.memory_fraction;
  out.capacity = capacity;
  out.usable = usable;
  out.fits = out.total <= usable;
  out.max_batch = largest(kMaxSequences, [&](std::int64_t batch) {
    return ledger.total(batch, request.context) <= usable;
  });
  out.max_context = largest(context_limit(model), [&](std::int64_t context) {
    return ledger.total(request.batch, context) <= usable;
  });
  const Bytes pool =
      usable - ledger.weights().total() - ledger.engine() - ledger.activations(1, request.prompt);
  const Bytes block = kv_bytes_allocated(model, *plan.kv, request.kv_block, request.kv_block);
  const double tokens =
      static_cast<double>(whole_blocks(pool, block)) * static_cast<double>(request.kv_block);
  out.kv_capacity_tokens = static_cast<std::int64_t>(std::min(tokens, kMaxExact));
}

}  // namespace

MemoryForecast forecast_memory(const Model& model, const PrecisionPlan& plan,
                               const Runtime& runtime, const MemoryRequest& request,
                               const HardwareProfile* profile) {
  check(model, request);
  const Ledger ledger(model, plan, runtime, request, profile);
  MemoryForecast out;
  out.weights = ledger.weights().total();
  out.weight_scales = ledger.weights().overhead;
  out.kv_cache = ledger.kv_cache(request.batch, request.context);
  out.activations = ledger.activations(request.batch, std::min(request.prompt, request.context));
  out.runtime = ledger.engine();
  out.total = ledger.total(request.batch, request.context);
  out.kv_per_token = kv_bytes_per_token(model, *plan.kv, request.context);
  if (out.total > bytes(kMaxExact)) {
    throw ConfigError(
        fmt::format("batch {} at {} tokens of context takes more than 2^53 bytes; a smaller batch "
                    "or a shorter context would help",
                    request.batch, request.context));
  }
  if (profile != nullptr && profile->memory.capacity) {
    fill_device(ledger, plan, model, request, *profile->memory.capacity, out);
  }
  return out;
}

}  // namespace roofcast
