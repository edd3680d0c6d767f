#include "roofcast/report/build_sweep.hpp"

#include "roofcast/report/sweep_values.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roofcast {
namespace {

constexpr std::size_t kShownReasons = 5;

/// One axis for the heading: how many values it has, the value if there is one, and what they are.
struct Axis {
  std::size_t size;
  std::string only;
  std::string plural;
};

std::string only_name(const std::vector<std::string>& formats, std::string_view role) {
  return fmt::format("{} {}", role, formats.front());
}

std::vector<Axis> axes_of(const SweepAxes& axes) {
  return {
      {axes.models.size(), axes.models.front().card.name, "models"},
      {axes.devices.size(), axes.devices.front().name, "gpus"},
      {axes.weights.size(), only_name(axes.weights, "weights"), "weight formats"},
      {axes.activations.size(), only_name(axes.activations, "activations"), "activation formats"},
      {axes.kv.size(), only_name(axes.kv, "kv"), "KV formats"},
      {axes.runtimes.size(), fmt::format("runtime {}", axes.runtimes.front()->name), "runtimes"},
      {axes.prompts.size(), fmt::format("prompt {}", format_count(axes.prompts.front())),
       "prompts"},
      {axes.outputs.size(), fmt::format("output {}", format_count(axes.outputs.front())),
       "outputs"},
      {axes.batches.size(), fmt::format("batch {}", format_count(axes.batches.front())), "batches"},
  };
}

std::string plural(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", format_count(count), one, count == 1 ? "" : "s");
}

Grid skipped_grid(const SweepSummary& summary) {
  Grid grid{.key = "skipped", .columns = {{.key = "reason"}, {.key = "count"}}};
  for (const SkippedConfigurations& skip : summary.skipped) {
    grid.rows.push_back({skip.reason, skip.count});
  }
  return grid;
}

void note_skipped(const SweepSummary& summary, Report& tail) {
  const std::size_t shown = std::min(summary.skipped.size(), kShownReasons);
  for (std::size_t i = 0; i < shown; ++i) {
    const SkippedConfigurations& skip = summary.skipped[i];
    tail.notes.push_back(
        {"skipped", fmt::format("{} skipped: {}", format_count(skip.count), skip.reason)});
  }
  if (shown == summary.skipped.size())
    return;
  std::int64_t rest = 0;
  for (std::size_t i = shown; i < summary.skipped.size(); ++i)
    rest += summary.skipped[i].count;
  tail.notes.push_back({"skipped", fmt::format("{} skipped for other reasons; --format json lists "
                                               "them all",
                                               format_count(rest))});
}

void note_rows(const ShownRows& shown, Report& tail) {
  if (shown.beyond > 0) {
    tail.notes.push_back({"", fmt::format("{} more; --format csv or json prints every row, --top N "
                                          "--by COLUMN the best",
                                          plural(shown.beyond, "row"))});
  }
  if (shown.too_large > 0) {
    tail.notes.push_back(
        {"does_not_fit", fmt::format("{} of {} do not fit; --where fits leaves them out",
                                     format_count(shown.too_large), plural(shown.count, "row"))});
  }
  if (shown.announced > 0) {
    tail.notes.push_back(
        {"profile_not_published",
         fmt::format("{} of {} are of devices that are announced and not shipped; --where "
                     "profile_status!=announced leaves them out",
                     format_count(shown.announced), plural(shown.count, "row"))});
  }
  if (shown.not_native > 0) {
    tail.notes.push_back(
        {"compute_path_missing",
         fmt::format("{} of {} multiply on a wider path, since the device has none for the scheme; "
                     "--where native leaves them out",
                     format_count(shown.not_native), plural(shown.count, "row"))});
  }
}

}  // namespace

Report sweep_head(const SweepSpace& space, const SweepRequest& request, const SweepPart& part) {
  std::vector<std::string> fixed;
  std::vector<std::string> varied;
  for (const Axis& axis : axes_of(space.axes())) {
    if (axis.size == 1) {
      if (!axis.only.ends_with(" auto"))
        fixed.push_back(axis.only);
    } else {
      varied.push_back(
          fmt::format("{} {}", format_count(static_cast<std::int64_t>(axis.size)), axis.plural));
    }
  }
  Report head;
  head.command = "sweep";
  head.heading = fmt::format("{}{}{}", plural(space.size(), "configuration"),
                             varied.empty() ? "" : ": ", fmt::join(varied, " x "));
  if (!fixed.empty())
    head.subheading.push_back(fmt::format("{}", fmt::join(fixed, ", ")));
  Record record;
  record.machine_only = true;
  record.fields.push_back({.key = "configurations", .value = space.size()});
  if (part.count > 1) {
    const std::string text = fmt::format("{}/{}", part.number, part.count);
    head.subheading.push_back(
        fmt::format("part {}: {}", text, plural(request.range.size(), "configuration")));
    record.fields.push_back({.key = "shard", .value = text});
  }
  head.blocks.emplace_back(std::move(record));
  return head;
}

Grid sweep_grid() {
  Grid grid;
  for (const SweepColumn& column : sweep_columns())
    grid.columns.push_back(report_column(column));
  return grid;
}

std::vector<Value> sweep_values(const SweepRow& row) {
  std::vector<Value> values;
  values.reserve(sweep_columns().size());
  for (const SweepColumn& column : sweep_columns())
    values.push_back(sweep_value(column, row));
  return values;
}

Report sweep_tail(const SweepSummary& summary, const ShownRows& shown) {
  Report tail;
  tail.command = "sweep";
  Record record;
  record.machine_only = true;
  record.fields = {{.key = "evaluated", .value = summary.evaluated},
                   {.key = "matched", .value = summary.matched},
                   {.key = "skipped_configurations", .value = summary.skipped_count()}};
  tail.blocks.emplace_back(std::move(record));
  tail.blocks.emplace_back(skipped_grid(summary));
  note_rows(shown, tail);
  note_skipped(summary, tail);
  if (summary.matched < summary.evaluated || shown.count < summary.matched) {
    tail.verdict = fmt::format("{} evaluated, {} met the conditions, {} shown",
                               format_count(summary.evaluated), format_count(summary.matched),
                               format_count(shown.count));
  }
  return tail;
}

}  // namespace roofcast
