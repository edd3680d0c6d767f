#include "roofcast/report/build_compare.hpp"

#include "roofcast/plan/sweep_row.hpp"
#include "roofcast/report/sweep_values.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roofcast {
namespace {

struct Line {
  std::string_view key;    ///< of a sweep column
  std::string_view label;  ///< for people; empty: machines only
};

/// What people see of a candidate, in this order; the other columns are for machines.
constexpr auto kLines = std::to_array<Line>({
    {"weights_bytes", "weights"},
    {"kv_cache_bytes", "KV cache"},
    {"total_bytes", "memory in all"},
    {"fits", "fits"},
    {"max_batch", "largest batch"},
    {"ttft_seconds", "TTFT"},
    {"prefill.bound_seconds", "  bound"},
    {"prefill.limited_by", "  limited by"},
    {"prefill.mfu", "  MFU"},
    {"tpot_seconds", "TPOT"},
    {"decode.bound_seconds", "  bound"},
    {"decode.limited_by", "  limited by"},
    {"decode.mbu", "  MBU"},
    {"e2e_seconds", "E2E"},
    {"tokens_per_second", "decode"},
});

Grid machine_rows(const std::vector<Candidate>& candidates,
                  const std::vector<std::optional<double>>& prefill,
                  const std::vector<std::optional<double>>& decode) {
  Grid grid{.columns = {{.key = "name"}, {.key = "problem"}}};
  for (const SweepColumn& column : sweep_columns())
    grid.columns.push_back({.key = std::string(column.key)});
  grid.columns.push_back({.key = "prefill_times_of_fastest"});
  grid.columns.push_back({.key = "decode_times_of_fastest"});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& each = candidates[i];
    std::vector<Value> row = {each.name, each.problem.empty() ? Value{} : Value{each.problem}};
    for (const SweepColumn& column : sweep_columns()) {
      row.push_back(each.forecast ? sweep_value(column, row_of(*each.forecast)) : Value{});
    }
    row.push_back(value_or_null(prefill[i]));
    row.push_back(value_or_null(decode[i]));
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

Grid side_by_side(const std::vector<Candidate>& candidates) {
  Grid grid{.key = "", .columns = {{.label = "candidate", .left = true}}, .transposed = true};
  for (const Line& line : kLines)
    grid.columns.push_back({.label = std::string(line.label), .no_is_bad = line.key == "fits"});
  for (const Candidate& each : candidates) {
    if (!each.forecast)
      continue;
    const SweepRow figures = row_of(*each.forecast);
    std::vector<Value> row = {each.name};
    for (const Line& line : kLines)
      row.push_back(sweep_value(*find_sweep_column(line.key), figures));
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

/// "h200 decodes fastest: 1.43 x as fast as h100, 2.35 x as fast as a100"
std::string relative_line(const std::vector<Candidate>& candidates,
                          const std::vector<Standing>& order, std::string_view what) {
  std::vector<std::string> others;
  for (std::size_t i = 1; i < order.size(); ++i) {
    others.push_back(fmt::format("{:.2f} x as fast as {}{}", order[i].times,
                                 candidates[order[i].candidate].name,
                                 order[i].fits ? "" : " (does not fit)"));
  }
  const bool all_fit = order.front().fits == order.back().fits;
  return fmt::format("{} {}{}: {}", candidates[order.front().candidate].name, what,
                     all_fit ? "" : " of what fits", fmt::join(others, ", "));
}

std::vector<std::optional<double>> times_of(const std::vector<Standing>& order, std::size_t count) {
  std::vector<std::optional<double>> times(count);
  for (const Standing& standing : order)
    times[standing.candidate] = standing.times;
  return times;
}

/// What all candidates share stands above the table: "3 candidates: llama-3.1-8b, bf16".
void add_heading(const std::vector<Candidate>& candidates, Report& report) {
  const Scenario& first = candidates.front().scenario;
  std::vector<std::string> shared;
  const auto add_shared = [&](auto part) {
    const std::string mine = part(first);
    const bool alike =
        std::all_of(candidates.begin(), candidates.end(),
                    [&](const Candidate& each) { return part(each.scenario) == mine; });
    if (alike)
      shared.push_back(mine);
  };
  add_shared([](const Scenario& each) { return each.model->card.name; });
  add_shared([](const Scenario& each) { return scheme_name(each.request().plan); });
  add_shared([](const Scenario& each) { return "on " + each.profile->name; });
  report.heading = fmt::format("{} candidates{}{}", candidates.size(), shared.empty() ? "" : ": ",
                               fmt::join(shared, ", "));
  report.subheading = {fmt::format("batch {} · prompt {} · output {} · runtime {}",
                                   format_count(first.workload.batch),
                                   format_count(first.workload.prompt),
                                   format_count(first.workload.output), first.runtime->name)};
}

}  // namespace

Report build_compare_report(const std::vector<Candidate>& candidates) {
  const auto prefill = standings(candidates, Contest::prefill);
  const auto decode = standings(candidates, Contest::decode);
  Report report;
  report.command = "compare";
  add_heading(candidates, report);
  report.blocks.emplace_back(machine_rows(candidates, times_of(prefill, candidates.size()),
                                          times_of(decode, candidates.size())));
  report.blocks.emplace_back(side_by_side(candidates));
  Text relative{.key = "relative"};
  if (prefill.size() > 1)
    relative.lines.push_back(relative_line(candidates, prefill, "prefills fastest"));
  if (decode.size() > 1)
    relative.lines.push_back(relative_line(candidates, decode, "decodes fastest"));
  report.blocks.emplace_back(std::move(relative));
  for (const Candidate& each : candidates) {
    if (!each.forecast) {
      report.notes.push_back({"impossible", each.name + ": " + each.problem});
    } else if (each.forecast->memory.fits == false) {
      report.notes.push_back({"does_not_fit", each.name + " does not fit"});
    }
  }
  return report;
}

}  // namespace roofcast
