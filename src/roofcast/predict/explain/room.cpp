// What fits: docs/model.md Eq. 23 to 26.
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/predict/explain/draft.hpp"
#include "roofcast/predict/memory_ledger.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/format_precise.hpp"

#include <array>
#include <functional>
#include <optional>

#include <fmt/format.h>

namespace roofcast::explaining {
namespace {

constexpr int kUsable = 23;
constexpr int kBatch = 24;
constexpr int kContext = 25;
constexpr int kPool = 26;

std::int64_t context_of(const Subject& subject) {
  return subject.workload.prompt + subject.workload.output;
}

MemoryLedger ledger_of(const Subject& subject) {
  return {subject.model,
          subject.plan,
          subject.runtime,
          &subject.profile,
          subject.request.kv_block,
          subject.request.memory_fraction};
}

/// For devices whose memory the host decides.
Explanation unknown(Draft draft, const Subject& subject) {
  return draft.line(subject.profile.name + " states no memory size").is_text("unknown");
}

Draft usable_draft(const Subject& subject, std::string title, std::string formula) {
  Draft draft(kUsable, std::move(title), std::move(formula));
  if (const auto& capacity = subject.profile.memory.capacity) {
    draft.symbol("M_dev", "memory of the device as its driver reports it",
                 format_precise(*capacity), subject.profile_source());
  }
  return draft;
}

Explanation explain_capacity(const Subject& subject) {
  Draft draft = usable_draft(subject, "memory of the device", "M_dev");
  if (!subject.profile.memory.capacity)
    return unknown(draft, subject);
  const Bytes capacity = *subject.profile.memory.capacity;
  return draft.line(format_precise(capacity)).is(capacity);
}

Explanation explain_usable(const Subject& subject) {
  Draft draft = usable_draft(subject, "memory that the engine may take", "U = floor(u · M_dev)");
  const double fraction = subject.request.memory_fraction;
  draft.symbol("u", "memory fraction", fmt::format("{}", fraction), std::string(kAsked));
  const MemoryForecast& memory = subject.forecast.memory;
  if (!memory.usable)
    return unknown(draft, subject);
  return draft.line(fmt::format("floor({} × {})", fraction, format_precise(*memory.capacity)))
      .is(*memory.usable);
}

Explanation explain_fits(const Subject& subject) {
  const MemoryForecast& memory = subject.forecast.memory;
  Draft draft(kUsable, "whether it fits", "M <= U");
  draft.symbol("M", "total", format_precise(memory.total), "Eq. 22");
  if (!memory.usable)
    return unknown(draft, subject);
  draft.symbol("U", "usable", format_precise(*memory.usable), "Eq. 23");
  return draft
      .line(fmt::format("{} {} {}", format_precise(memory.total), *memory.fits ? "<=" : ">",
                        format_precise(*memory.usable)))
      .is_text(*memory.fits ? "yes" : "no");
}

/// The answer of an inverse: the totals on both sides of it. `total` is M as a function of what is
/// sought.
Explanation explain_inverse(const Subject& subject, Draft draft,
                            const std::optional<std::int64_t>& found, std::int64_t limit,
                            const std::function<Bytes(std::int64_t)>& total) {
  const std::string usable = format_precise(*subject.forecast.memory.usable);
  const auto compare = [&](std::int64_t at, std::string_view sign) {
    draft.line(
        fmt::format("{}: {} {} {}", format_count(at), format_precise(total(at)), sign, usable));
  };
  const std::int64_t answer = found.value_or(limit);
  if (answer > 0)
    compare(answer, "<=");
  if (!found)
    return draft.is_text("not limited by memory");
  if (answer == limit)
    return draft.line(format_count(limit)).is(answer);
  compare(answer + 1, ">");
  return draft.line(fmt::format("{} - 1", format_count(answer + 1))).is(answer);
}

Explanation explain_max_batch(const Subject& subject) {
  Draft draft(kBatch, "largest batch at this context", "max b with M(b, t) <= U");
  draft
      .symbol("M", "total, which never falls with the batch", "on both sides of the answer",
              "Eq. 22")
      .symbol("t", "tokens of context", format_count(context_of(subject)), std::string(kAsked));
  if (!subject.forecast.memory.usable)
    return unknown(draft, subject);
  draft.symbol("U", "usable", format_precise(*subject.forecast.memory.usable), "Eq. 23");
  const MemoryLedger ledger = ledger_of(subject);
  return explain_inverse(subject, std::move(draft), subject.forecast.memory.max_batch,
                         kMaxSequences, [&](std::int64_t batch) {
                           return ledger.total(batch, subject.workload.prompt, context_of(subject));
                         });
}

Explanation explain_max_context(const Subject& subject) {
  Draft draft(kContext, "longest context at this batch", "max t with M(b, t) <= U");
  draft
      .symbol("M", "total, which never falls with the context", "on both sides of the answer",
              "Eq. 22")
      .symbol("b", "batch", format_count(subject.workload.batch), std::string(kAsked));
  if (!subject.forecast.memory.usable)
    return unknown(draft, subject);
  draft.symbol("U", "usable", format_precise(*subject.forecast.memory.usable), "Eq. 23");
  const MemoryLedger ledger = ledger_of(subject);
  const std::int64_t limit =
      subject.model.card.position_rows ? subject.model.card.context : kMaxTokens;
  return explain_inverse(subject, std::move(draft), subject.forecast.memory.max_context, limit,
                         [&](std::int64_t context) {
                           return ledger.total(subject.workload.batch, subject.workload.prompt,
                                               context);
                         });
}

Explanation explain_pool(const Subject& subject) {
  const std::int64_t block = subject.request.kv_block;
  Draft draft(kPool, "tokens whose KV the rest of the memory holds",
              "max(0, floor((U - W - A - R) / K_k)) · k");
  draft.symbol("k", "tokens of a KV block", format_count(block), std::string(kAsked));
  const MemoryForecast& memory = subject.forecast.memory;
  if (!memory.kv_capacity_tokens)
    return unknown(draft, subject);
  const Bytes block_size = kv_bytes_allocated(subject.model, *subject.plan.kv, block, block);
  draft.symbol("U", "usable", format_precise(*memory.usable), "Eq. 23")
      .symbol("W", "weights", format_precise(memory.weights), "Eq. 2")
      .symbol("A", "activations", format_precise(memory.activations), "Eq. 6")
      .symbol("R", "the engine itself", format_precise(memory.runtime), "Eq. 7")
      .symbol("K_k", "one block in every layer", format_precise(block_size), "Eq. 5");
  return draft
      .line(fmt::format("max(0, floor(({} - {} - {} - {}) / {})) × {}",
                        format_precise(*memory.usable), format_precise(memory.weights),
                        format_precise(memory.activations), format_precise(memory.runtime),
                        format_precise(block_size), block))
      .is(*memory.kv_capacity_tokens);
}

constexpr std::array kEntries = {Entry{"memory.usable_bytes", explain_usable},
                                 Entry{"memory.capacity_bytes", explain_capacity},
                                 Entry{"memory.fits", explain_fits},
                                 Entry{"memory.max_batch", explain_max_batch},
                                 Entry{"memory.max_context", explain_max_context},
                                 Entry{"memory.kv_capacity_tokens", explain_pool}};

}  // namespace

std::span<const Entry> room_entries() {
  return kEntries;
}

}  // namespace roofcast::explaining
