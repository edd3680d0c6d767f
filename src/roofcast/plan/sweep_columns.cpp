#include "roofcast/plan/sweep_columns.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace roofcast {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

double plain(Seconds value) {
  return value / seconds(1.0);
}
double plain(Bytes value) {
  return value / bytes(1.0);
}
double plain(std::int64_t value) {
  return static_cast<double>(value);
}
double plain(bool value) {
  return value ? 1.0 : 0.0;
}

template <class T>
double plain(const std::optional<T>& value) {
  return value ? plain(*value) : kAbsent;
}

/// A figure of the decode phase, which a row of one output token does not have.
template <class Figure>
double of_decode(const SweepRow& row, Figure figure) {
  return row.tpot ? plain(row.decode.*figure) : kAbsent;
}

std::string_view decode_limit(const SweepRow& row) {
  return row.tpot ? name(row.decode.limited_by()) : std::string_view{};
}

double rate(const SweepRow& row, std::int64_t sequences) {
  return row.tpot ? plain(sequences) / plain(*row.tpot) : kAbsent;
}

using Row = SweepRow;
using D = Dimension;
using B = Better;

constexpr SweepColumn text_column(std::string_view key, std::string_view alias,
                                  std::string_view label,
                                  std::string_view (*text)(const SweepRow&)) {
  return {key, alias, label, D::text, B::neither, nullptr, text};
}

constexpr SweepColumn number_column(std::string_view key, std::string_view alias,
                                    std::string_view label, Dimension dimension, Better better,
                                    double (*number)(const SweepRow&)) {
  return {key, alias, label, dimension, better, number, nullptr};
}

// One column a line, in the order of the output. A lambda without captures is the accessor.
constexpr auto kColumns = std::to_array<SweepColumn>({
    // clang-format off
    text_column("model", "", "model", [](const Row& r) { return r.model; }),
    text_column("gpu", "", "gpu", [](const Row& r) { return r.gpu; }),
    text_column("weights", "", "weights", [](const Row& r) { return r.weights; }),
    text_column("activations", "", "act", [](const Row& r) { return r.activations; }),
    text_column("kv", "", "kv", [](const Row& r) { return r.kv; }),
    text_column("runtime", "", "", [](const Row& r) { return r.runtime; }),
    text_column("profile_status", "", "", [](const Row& r) { return r.profile_status; }),
    number_column("native", "", "", D::flag, B::higher, [](const Row& r) { return plain(r.native); }),
    number_column("prompt_tokens", "prompt", "prompt", D::count, B::higher, [](const Row& r) { return plain(r.workload.prompt); }),
    number_column("output_tokens", "output", "output", D::count, B::higher, [](const Row& r) { return plain(r.workload.output); }),
    number_column("batch", "", "batch", D::count, B::higher, [](const Row& r) { return plain(r.workload.batch); }),
    number_column("weights_bytes", "", "", D::bytes, B::lower, [](const Row& r) { return plain(r.weights_bytes); }),
    number_column("kv_cache_bytes", "kv_cache", "", D::bytes, B::lower, [](const Row& r) { return plain(r.kv_cache); }),
    number_column("total_bytes", "total", "memory", D::bytes, B::lower, [](const Row& r) { return plain(r.total); }),
    number_column("fits", "", "fits", D::flag, B::higher, [](const Row& r) { return plain(r.fits); }),
    number_column("max_batch", "", "max batch", D::count, B::higher, [](const Row& r) { return plain(r.max_batch); }),
    number_column("ttft_seconds", "ttft", "TTFT", D::seconds, B::lower, [](const Row& r) { return plain(r.ttft); }),
    number_column("tpot_seconds", "tpot", "TPOT", D::seconds, B::lower, [](const Row& r) { return plain(r.tpot); }),
    number_column("e2e_seconds", "e2e", "E2E", D::seconds, B::lower, [](const Row& r) { return plain(r.e2e); }),
    number_column("tokens_per_second", "", "tok/s", D::tokens_per_second, B::higher, [](const Row& r) { return rate(r, r.workload.batch); }),
    number_column("tokens_per_second_per_sequence", "", "", D::tokens_per_second, B::higher, [](const Row& r) { return rate(r, 1); }),
    text_column("prefill.limited_by", "", "prefill by", [](const Row& r) { return name(r.prefill.limited_by()); }),
    text_column("decode.limited_by", "", "decode by", decode_limit),
    number_column("prefill.bound_seconds", "prefill.bound", "", D::seconds, B::lower, [](const Row& r) { return plain(r.prefill.bound); }),
    number_column("prefill.low_seconds", "prefill.low", "", D::seconds, B::lower, [](const Row& r) { return plain(r.prefill.low); }),
    number_column("prefill.high_seconds", "prefill.high", "", D::seconds, B::lower, [](const Row& r) { return plain(r.prefill.high); }),
    number_column("prefill.mfu", "", "", D::share, B::higher, [](const Row& r) { return r.prefill.mfu(); }),
    number_column("prefill.mbu", "", "", D::share, B::higher, [](const Row& r) { return r.prefill.mbu(); }),
    number_column("decode.bound_seconds", "decode.bound", "", D::seconds, B::lower, [](const Row& r) { return of_decode(r, &PhaseForecast::bound); }),
    number_column("decode.low_seconds", "decode.low", "", D::seconds, B::lower, [](const Row& r) { return of_decode(r, &PhaseForecast::low); }),
    number_column("decode.high_seconds", "decode.high", "", D::seconds, B::lower, [](const Row& r) { return of_decode(r, &PhaseForecast::high); }),
    number_column("decode.mfu", "", "", D::share, B::higher, [](const Row& r) { return r.tpot ? r.decode.mfu() : kAbsent; }),
    number_column("decode.mbu", "", "", D::share, B::higher, [](const Row& r) { return r.tpot ? r.decode.mbu() : kAbsent; }),
    // clang-format on
});

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_label(std::string_view label, std::string_view wanted) {
  return std::equal(label.begin(), label.end(), wanted.begin(), wanted.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::span<const SweepColumn> sweep_columns() {
  return kColumns;
}

const SweepColumn* find_sweep_column(std::string_view wanted) {
  if (wanted.empty())
    return nullptr;
  for (const SweepColumn& column : kColumns) {
    if (column.key == wanted || column.alias == wanted)
      return &column;
  }
  for (const SweepColumn& column : kColumns) {
    if (is_label(column.label, wanted))
      return &column;
  }
  return nullptr;
}

const SweepColumn& sweep_column(std::string_view option, std::string_view wanted) {
  if (const SweepColumn* column = find_sweep_column(wanted))
    return *column;
  std::vector<std::string_view> names;
  for (const SweepColumn& column : kColumns) {
    names.push_back(column.key);
    if (!column.alias.empty())
      names.push_back(column.alias);
    if (!column.label.empty() && column.label != column.key)
      names.push_back(column.label);
  }
  std::string help = did_you_mean(wanted, names);
  if (help.empty()) {
    help = "; the columns are ";
    for (const SweepColumn& column : kColumns) {
      help.append(&column == kColumns.data() ? "" : ", ").append(column.key);
    }
  }
  throw UsageError(std::string(option) + ": unknown column '" + printable(wanted) + "'" + help);
}

Ordering parse_ordering(std::string_view option, std::string_view wanted) {
  const bool reversed = wanted.starts_with('-');
  const SweepColumn& column = sweep_column(option, reversed ? wanted.substr(1) : wanted);
  if (column.is_text()) {
    throw UsageError(
        std::string(option) + ": '" + std::string(column.key) +
        "' is text, which has no order; name a column of numbers, such as tpot_seconds");
  }
  return {&column, (column.better == Better::lower) != reversed};
}

}  // namespace roofcast
