#include "roofcast/report/sweep_table.hpp"

#include "roofcast/report/sweep_values.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace roofcast {
namespace {

/// What people want to know of every row, by importance.
constexpr auto kUsual = std::to_array<std::string_view>(
    {"tpot_seconds", "tokens_per_second", "ttft_seconds", "total_bytes", "fits",
     "decode.limited_by", "max_batch", "e2e_seconds", "prefill.limited_by"});
/// The last of them are for wide tables alone.
constexpr auto kWideOnly =
    std::to_array<std::string_view>({"max_batch", "e2e_seconds", "prefill.limited_by"});

/// Columns of the axes that have more than one value, in the order of the rows.
std::vector<std::string_view> varied_axes(const SweepAxes& axes) {
  const std::array<std::pair<std::string_view, std::size_t>, 9> sizes = {
      {{"model", axes.models.size()},
       {"gpu", axes.devices.size()},
       {"weights", axes.weights.size()},
       {"activations", axes.activations.size()},
       {"kv", axes.kv.size()},
       {"runtime", axes.runtimes.size()},
       {"prompt_tokens", axes.prompts.size()},
       {"output_tokens", axes.outputs.size()},
       {"batch", axes.batches.size()}}};
  std::vector<std::string_view> varied;
  for (const auto& [key, size] : sizes) {
    if (size > 1)
      varied.push_back(key);
  }
  return varied;
}

/// What people read in a cell: models and devices under the names they gave.
Value shown_value(const SweepSpace& space, const SweepColumn& column, const SweepRow& row) {
  const SweepAxes& axes = space.axes();
  const SweepGroup group = space.group(row.index / space.group_size());
  const auto label = [](const std::vector<std::string>& labels, const auto& all, const auto* one) {
    return labels.size() == all.size() ? labels[static_cast<std::size_t>(one - all.data())] : "";
  };
  std::string name;
  if (column.key == "model")
    name = label(axes.model_labels, axes.models, group.model);
  if (column.key == "gpu")
    name = label(axes.device_labels, axes.devices, group.device);
  return name.empty() ? sweep_value(column, row) : Value{name};
}

bool same_in_all(const SweepColumn& column, const std::vector<SweepRow>& rows) {
  if (rows.size() < 2)
    return false;
  return std::all_of(rows.begin(), rows.end(), [&](const SweepRow& row) {
    return column.is_text() ? column.text(row) == column.text(rows.front())
                            : column.number(row) == column.number(rows.front());
  });
}

/// Columns in the order of importance, each once.
class ColumnList {
 public:
  void add(const SweepColumn* column) {
    if (std::find(columns_.begin(), columns_.end(), column) == columns_.end())
      columns_.push_back(column);
  }
  [[nodiscard]] const std::vector<const SweepColumn*>& columns() const { return columns_; }

 private:
  std::vector<const SweepColumn*> columns_;
};

/// A condition under which the column has one value in every row.
bool fixes(const Condition& condition, const SweepColumn* column) {
  return condition.column == column && condition.comparison == Comparison::equal;
}

/// What was ranked, and what the rows differ in.
ColumnList leading_columns(const SweepSpace& space, const SweepRequest& request,
                           const std::vector<SweepRow>& rows) {
  ColumnList list;
  if (request.top)
    list.add(request.top->by.column);
  if (request.pareto) {
    list.add(request.pareto->first.column);
    list.add(request.pareto->second.column);
  }
  for (const std::string_view key : varied_axes(space.axes())) {
    const SweepColumn* column = find_sweep_column(key);
    if (!same_in_all(*column, rows))
      list.add(column);
  }
  return list;
}

}  // namespace

Grid sweep_table(const SweepSpace& space, const SweepRequest& request,
                 const std::vector<SweepRow>& rows) {
  ColumnList list = leading_columns(space, request, rows);
  const std::size_t leading = list.columns().size();
  for (const Condition& condition : request.where) {
    if (!fixes(condition, condition.column) && !condition.column->is_text())
      list.add(condition.column);
  }
  for (const std::string_view key : kUsual) {
    const SweepColumn* column = find_sweep_column(key);
    const bool fixed =
        std::any_of(request.where.begin(), request.where.end(),
                    [column](const Condition& condition) { return fixes(condition, column); });
    if (!fixed)
      list.add(column);
  }
  Grid grid;
  for (std::size_t i = 0; i < list.columns().size(); ++i) {
    const SweepColumn& each = *list.columns()[i];
    Column column = report_column(each);
    if (column.label.empty())
      column.label = column.key;
    column.wide_only =
        i >= leading && std::find(kWideOnly.begin(), kWideOnly.end(), each.key) != kWideOnly.end();
    grid.columns.push_back(std::move(column));
  }
  for (const SweepRow& row : rows) {
    std::vector<Value>& values = grid.rows.emplace_back();
    for (const SweepColumn* column : list.columns())
      values.push_back(shown_value(space, *column, row));
  }
  return grid;
}

std::string same_in_all(const SweepSpace& space, const std::vector<SweepRow>& rows) {
  std::string text;
  for (const std::string_view key : varied_axes(space.axes())) {
    const SweepColumn* column = find_sweep_column(key);
    if (!same_in_all(*column, rows))
      continue;
    const Value value = shown_value(space, *column, rows.front());
    text.append(text.empty() ? "" : ", ");
    if (key != "model" && key != "gpu")
      text.append(column->label.empty() ? key : column->label).append(" ");
    text += column->is_text() ? std::get<std::string>(value)
                              : format_count(std::get<std::int64_t>(value));
  }
  return text;
}

}  // namespace roofcast
