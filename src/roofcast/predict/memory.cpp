#include "roofcast/predict/memory.hpp"

#include "roofcast/model/kv_cache.hpp"
#include "roofcast/predict/memory_ledger.hpp"

#include <algorithm>
#include <cmath>

namespace roofcast {
namespace {

/// Whole blocks of `block` bytes in `pool`, exact although the quotient is rounded.
std::int64_t whole_blocks(Bytes pool, Bytes block) {
  if (pool < block)
    return 0;
  auto count = static_cast<std::int64_t>(std::floor(std::min(double(pool / block), kMaxExact)));
  if (static_cast<double>(count) * block > pool)
    --count;
  return count;
}

void fill_device(const MemoryLedger& ledger, const PrecisionPlan& plan, const Model& model,
                 const MemoryRequest& request, MemoryForecast& out) {
  const Bytes usable = *ledger.usable();
  out.usable = usable;
  out.fits = out.total <= usable;
  out.max_batch = ledger.max_batch(request.prompt, request.context);
  out.max_context = ledger.max_context(request.batch, request.prompt);
  const Bytes pool = usable - out.weights - out.runtime - out.activations;
  const Bytes block = kv_bytes_allocated(model, *plan.kv, request.kv_block, request.kv_block);
  const double tokens =
      static_cast<double>(whole_blocks(pool, block)) * static_cast<double>(request.kv_block);
  out.kv_capacity_tokens = static_cast<std::int64_t>(std::min(tokens, kMaxExact));
}

}  // namespace

MemoryForecast forecast_memory(const Model& model, const PrecisionPlan& plan,
                               const Runtime& runtime, const MemoryRequest& request,
                               const HardwareProfile* profile) {
  const MemoryLedger ledger(model, plan, runtime, profile, request.kv_block,
                            request.memory_fraction);
  ledger.check(request.batch, request.prompt, request.context);
  MemoryForecast out;
  out.weights = ledger.weights().total();
  out.weight_scales = ledger.weights().overhead;
  out.kv_cache = ledger.kv_cache(request.batch, request.context);
  out.activations = ledger.activations(request.batch, std::min(request.prompt, request.context));
  out.runtime = ledger.engine();
  out.total = ledger.total(request.batch, request.prompt, request.context);
  MemoryLedger::check_total(out.total, request.batch, request.context);
  out.kv_per_token = kv_bytes_per_token(model, *plan.kv, request.context);
  if (ledger.usable()) {
    out.capacity = profile->memory.capacity;
    fill_device(ledger, plan, model, request, out);
  }
  return out;
}

}  // namespace roofcast
