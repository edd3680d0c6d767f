#include "roofcast/report/build_whatif.hpp"

#include "roofcast/plan/sweep_row.hpp"
#include "roofcast/report/attribution.hpp"
#include "roofcast/report/request_records.hpp"
#include "roofcast/report/sweep_values.hpp"
#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace roofcast {
namespace {

// ---- rows for machines -----------------------------------------------------------------------

Grid machine_grid() {
  Grid grid{.columns = {{.key = "change"}, {.key = "gain"}, {.key = "problem"}}};
  for (const SweepColumn& column : sweep_columns())
    grid.columns.push_back({.key = std::string(column.key)});
  for (const char* phase : {"prefill_change", "decode_change"}) {
    for (const TimeTermName& term : time_term_names())
      grid.columns.push_back({.key = fmt::format("{}.{}", phase, term.key)});
    grid.columns.push_back({.key = fmt::format("{}.seconds", phase)});
  }
  for (const MemoryLineName& line : memory_line_names())
    grid.columns.push_back({.key = fmt::format("memory_change.{}", line.key)});
  grid.columns.push_back({.key = "memory_change.total_bytes"});
  return grid;
}

void append_terms(std::vector<Value>& row, const TimeTerms& change) {
  for (const TimeTermName& term : time_term_names())
    row.emplace_back(change.*term.term);
  row.emplace_back(change.total());
}

std::vector<Value> machine_row(const Variation& variation, std::size_t width) {
  std::vector<Value> row = {variation.change.text, value_or_null(variation.gain),
                            variation.problem.empty() ? Value{} : Value{variation.problem}};
  if (variation.forecast) {
    const SweepRow figures = row_of(*variation.forecast);
    for (const SweepColumn& column : sweep_columns())
      row.push_back(sweep_value(column, figures));
    append_terms(row, variation.prefill_change);
    if (variation.decode_change) {
      append_terms(row, *variation.decode_change);
    } else {
      row.resize(row.size() + time_term_names().size() + 1);
    }
    for (const MemoryLineName& line : memory_line_names())
      row.emplace_back(Capacity{variation.memory_change.*line.change});
    row.emplace_back(Capacity{variation.memory_change.total});
  }
  row.resize(width);
  return row;
}

void add_machine_rows(Grid& grid, const WhatIf& answer) {
  for (const Variation& variation : answer.variations)
    grid.rows.push_back(machine_row(variation, grid.columns.size()));
}

// ---- tables for people ---------------------------------------------------------------------

std::string gain_text(const std::optional<double>& gain) {
  return gain ? fmt::format("{:.2f} x", *gain) : "-";
}

std::string_view metric_label(Metric metric) {
  constexpr std::array<std::string_view, 5> kLabels = {"TTFT", "TPOT", "E2E", "tokens/s", "memory"};
  return kLabels[static_cast<std::size_t>(metric)];
}

/// A grid without a key is for people alone.
Grid people_grid(std::string title, std::vector<Column> columns) {
  return {.key = "", .title = std::move(title), .columns = std::move(columns)};
}

/// "weights=fp8, activations=fp8 *": wraps between settings; the star marks a scheme without a
/// native path, which a note explains.
std::string shown_change(const Variation& variation, bool base_is_native) {
  std::string text;
  for (const Assignment& each : variation.change.assignments)
    text.append(text.empty() ? "" : ", ").append(each.key).append("=").append(each.value);
  if (base_is_native && variation.forecast && !row_of(*variation.forecast).native)
    text += " *";
  return text;
}

std::vector<Value> ranking_row(std::string name, std::string gain, const Forecast& forecast) {
  return {std::move(name),
          value_or_null(forecast.tpot),
          std::move(gain),
          forecast.ttft,
          value_or_null(forecast.tokens_per_second),
          Capacity{forecast.memory.total},
          value_or_null(forecast.memory.fits),
          value_or_null(forecast.memory.max_batch)};
}

/// Changes of the same effect, to the digits that are shown, are one row that names them all.
void add_or_join(std::vector<std::vector<Value>>& rows, std::vector<Value> row) {
  for (std::vector<Value>& known : rows) {
    const bool same =
        std::equal(known.begin() + 1, known.end(), row.begin() + 1,
                   [](const Value& a, const Value& b) { return human(a) == human(b); });
    if (same) {
      std::get<std::string>(known.front()) += " or " + std::get<std::string>(row.front());
      return;
    }
  }
  rows.push_back(std::move(row));
}

Grid ranking(const WhatIf& answer, std::string title) {
  Grid grid =
      people_grid(std::move(title), {{.label = "change", .left = true},
                                     {.label = "TPOT"},
                                     {.label = "gain"},
                                     {.label = "TTFT"},
                                     {.label = "tok/s"},
                                     {.label = "memory", .secondary = true},
                                     {.label = "fits", .no_is_bad = true, .secondary = true},
                                     {.label = "max batch", .secondary = true}});
  const bool native = row_of(answer.base).native;
  for (const Variation& each : answer.variations) {
    if (each.forecast) {
      add_or_join(grid.rows,
                  ranking_row(shown_change(each, native), gain_text(each.gain), *each.forecast));
    }
  }
  grid.rows.insert(grid.rows.begin(), ranking_row("base", "1.00 x", answer.base));
  return grid;
}

/// One line per change that has a cause here: the difference of the whole, and by cause, all in one
/// unit. `cause` gives both texts; no line where the second is empty.
template <class Cause>
Grid causes(const WhatIf& answer, std::string title, const ChangeUnit& unit, Cause cause) {
  Grid grid = people_grid(std::move(title), {{.label = "change", .left = true},
                                             {.label = "in all", .unit = unit.text},
                                             {.label = "by cause", .left = true}});
  const bool native = row_of(answer.base).native;
  for (const Variation& each : answer.variations) {
    if (!each.forecast)
      continue;
    const auto [whole, parts] = cause(*each.forecast, unit);
    if (!parts.empty())
      add_or_join(grid.rows, {shown_change(each, native), whole, parts});
  }
  return grid;
}

/// The tables of causes; changes that leave a phase as it is are not in its table.
std::vector<Grid> cause_grids(const WhatIf& answer) {
  const Forecast& base = answer.base;
  std::vector<Grid> grids;
  if (base.decode) {
    grids.push_back(causes(
        answer, "Change of the mean decode step", change_unit(base.decode->terms.total()),
        [&base](const Forecast& changed, const ChangeUnit& unit) {
          return changed.decode ? change_text(changed.decode->terms, base.decode->terms, unit)
                                : ChangeText{};
        }));
  }
  grids.push_back(causes(answer, "Change of the prefill", change_unit(base.prefill.terms.total()),
                         [&base](const Forecast& changed, const ChangeUnit& unit) {
                           return change_text(changed.prefill.terms, base.prefill.terms, unit);
                         }));
  grids.push_back(causes(answer, "Change of the memory", change_unit(base.memory.total),
                         [&base](const Forecast& changed, const ChangeUnit& unit) {
                           return change_text(changed.memory, base.memory, unit);
                         }));
  return grids;
}

Grid batch_grid(const BatchCurve& curve) {
  Grid grid = people_grid("Batch", {{.label = "batch"},
                                    {.label = "TPOT"},
                                    {.label = "tok/s"},
                                    {.label = "each tok/s"},
                                    {.label = "TTFT"},
                                    {.label = "memory"},
                                    {.label = "decode by", .left = true},
                                    {.label = "", .left = true}});
  for (const Variation& each : curve.answer.variations) {
    if (!each.forecast)
      continue;
    const Forecast& forecast = *each.forecast;
    const bool is_knee = curve.knee && curve.knee->batch == forecast.request.workload.batch;
    const SweepRow row = row_of(forecast);
    grid.rows.push_back({forecast.request.workload.batch, value_or_null(forecast.tpot),
                         value_or_null(forecast.tokens_per_second),
                         value_or_null(forecast.tokens_per_second_per_sequence), forecast.ttft,
                         Capacity{forecast.memory.total},
                         sweep_value(*find_sweep_column("decode.limited_by"), row),
                         std::string(is_knee && !curve.knee->at_limit ? "knee" : "")});
    if (is_knee)
      grid.columns.back().label = " ";
  }
  return grid;
}

// ---- the parts of both reports ---------------------------------------------------------------

Report begin(const WhatIf& answer) {
  const ForecastRequest& request = answer.base.request;
  const RequestShown shown{.model = request.model,
                           .profile = request.profile,
                           .runtime = request.runtime,
                           .plan = request.plan,
                           .workload = request.workload,
                           .context = request.workload.prompt + request.workload.output,
                           .kv_block = request.kv_block,
                           .memory_fraction = request.memory_fraction};
  Report report;
  report.command = "whatif";
  report.heading = "What if: " + request_heading(shown);
  report.subheading = {workload_line(shown)};
  report.alert = fit_alert(answer.base.memory);
  report.blocks = request_records(shown);
  Record base{.key = "base", .machine_only = true};
  const SweepRow row = row_of(answer.base);
  for (const SweepColumn& column : sweep_columns())
    base.fields.push_back({.key = std::string(column.key), .value = sweep_value(column, row)});
  base.fields.push_back({.key = "critical_batch", .value = answer.base.critical_batch});
  report.blocks.emplace_back(std::move(base));
  return report;
}

void add_problems(Report& report, const WhatIf& answer) {
  for (const Variation& each : answer.variations) {
    if (!each.forecast)
      report.notes.push_back({"impossible", each.change.text + ": " + each.problem});
  }
  if (!row_of(answer.base).native) {
    report.notes.push_back({"compute_path_missing",
                            "the device has no native path for the scheme of the base: its "
                            "products run on a wider one"});
    return;
  }
  const bool any_wider = std::any_of(
      answer.variations.begin(), answer.variations.end(),
      [](const Variation& each) { return each.forecast && !row_of(*each.forecast).native; });
  if (any_wider) {
    report.notes.push_back({"compute_path_missing",
                            "* the device has no native path for this scheme: its products run "
                            "on a wider one"});
  }
}

std::string before_and_after(const Forecast& base, const Forecast& changed, Metric metric) {
  const auto arrow = [](const auto& before, const auto& after) {
    return human(before) + " -> " + human(after);
  };
  switch (metric) {
    case Metric::ttft:
      return arrow(base.ttft, changed.ttft);
    case Metric::tpot:
      return arrow(*base.tpot, *changed.tpot);
    case Metric::e2e:
      return arrow(base.e2e, changed.e2e);
    case Metric::tokens_per_second:
      return arrow(*base.tokens_per_second, *changed.tokens_per_second);
    case Metric::memory:
      return format_binary(base.memory.total) + " -> " + format_binary(changed.memory.total);
  }
  return "";
}

/// "weights=fp8 helps most: TPOT 8.20 ms -> 4.51 ms, 1.82 x." Only of what fits.
std::string best_sentence(const WhatIf& answer) {
  for (const Variation& each : answer.variations) {
    if (!each.gain || !(*each.gain > 1.0) || each.forecast->memory.fits == false)
      continue;
    return fmt::format("{} helps most: {} {}, {}.", each.change.text, metric_label(answer.metric),
                       before_and_after(answer.base, *each.forecast, answer.metric),
                       gain_text(each.gain));
  }
  return fmt::format("No change that fits improves {}.", metric_label(answer.metric));
}

std::string knee_sentence(const BatchCurve& curve) {
  if (!curve.knee)
    return "";
  const Forecast& base = curve.answer.base;
  std::string sentence =
      curve.knee->at_limit
          ? fmt::format("Every batch up to {}, the largest that fits, still pays",
                        format_count(curve.knee->batch))
          : fmt::format(
                "The knee of the batch is {}: beyond it, one more sequence costs more latency than "
                "it adds throughput",
                format_count(curve.knee->batch));
  return sentence +
         fmt::format("; the critical batch of the linear layers is {:.0f}.", base.critical_batch);
}

}  // namespace

Report build_whatif_report(const WhatIf& answer) {
  Report report = begin(answer);
  Grid rows = machine_grid();
  add_machine_rows(rows, answer);
  report.blocks.emplace_back(std::move(rows));
  report.blocks.emplace_back(
      ranking(answer, fmt::format("Changes, best {} first", metric_label(answer.metric))));
  for (Grid& grid : cause_grids(answer)) {
    if (!grid.rows.empty())
      report.blocks.emplace_back(std::move(grid));
  }
  add_problems(report, answer);
  report.verdict = best_sentence(answer);
  return report;
}

Report build_usual_whatif_report(const WhatIf& schemes, const BatchCurve& batches) {
  Report report = begin(schemes);
  Grid rows = machine_grid();
  add_machine_rows(rows, schemes);
  add_machine_rows(rows, batches.answer);
  report.blocks.emplace_back(std::move(rows));
  Record knee{.key = "knee", .machine_only = true};
  knee.fields = {
      {.key = "batch", .value = batches.knee ? Value{batches.knee->batch} : Value{}},
      {.key = "at_limit", .value = batches.knee ? Value{batches.knee->at_limit} : Value{}}};
  report.blocks.emplace_back(std::move(knee));
  report.blocks.emplace_back(
      ranking(schemes, fmt::format("Schemes, best {} first", metric_label(schemes.metric))));
  std::vector<Grid> grids = cause_grids(schemes);
  if (schemes.base.decode && !grids.front().rows.empty())
    report.blocks.emplace_back(std::move(grids.front()));
  if (!batches.answer.variations.empty()) {
    report.blocks.emplace_back(batch_grid(batches));
  } else {
    report.notes.push_back({"", "not even one sequence fits, so there is no curve over the batch"});
  }
  add_problems(report, schemes);
  report.verdict = best_sentence(schemes);
  if (batches.knee)
    *report.verdict += " " + knee_sentence(batches);
  return report;
}

}  // namespace roofcast
