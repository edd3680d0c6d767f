#include "roofcast/report/writers/grid_cells.hpp"

#include <algorithm>
#include <cmath>

namespace roofcast {
namespace {

/// The pinned unit, or the one that suits the value in the middle, but a larger one where the
/// largest value would pass 10,000: a norm of kilobytes stands beside matrices of gigabytes.
ColumnUnit column_unit(const Grid& grid, std::size_t index) {
  if (!grid.columns[index].unit.empty())
    return unit_named(grid.columns[index].unit);
  std::vector<const Value*> values;
  for (const std::vector<Value>& row : grid.rows) {
    if (si_value(row[index]).value_or(0.0) != 0.0)
      values.push_back(&row[index]);
  }
  if (values.empty())
    return {};
  std::sort(values.begin(), values.end(), [](const Value* a, const Value* b) {
    return std::fabs(*si_value(*a)) < std::fabs(*si_value(*b));
  });
  ColumnUnit unit = unit_of(*values[(values.size() - 1) / 2]);
  for (const Value* value : values) {
    constexpr double kMost = 1e4;
    if (std::fabs(*si_value(*value)) / unit.factor >= kMost)
      unit = unit_of(*value);
  }
  return unit;
}

/// A column in which nobody finds anything, as links that have no name of their own.
bool says_nothing(const TextColumn& column) {
  return std::all_of(column.cells.begin(), column.cells.end(),
                     [](const std::string& cell) { return cell.empty() || cell == "-"; });
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,+-<") == std::string::npos;
}

}  // namespace

void align_decimals(std::vector<std::string>& cells) {
  std::size_t fraction = 0;
  for (const std::string& cell : cells) {
    const std::size_t point = cell.find('.');
    if (is_number(cell) && point != std::string::npos) {
      fraction = std::max(fraction, cell.size() - point);
    }
  }
  for (std::string& cell : cells) {
    if (!is_number(cell) || cell == "-")
      continue;
    const std::size_t point = std::min(cell.find('.'), cell.size());
    cell += std::string(fraction - (cell.size() - point), ' ');
  }
}

std::vector<TextColumn> text_columns(const Grid& grid, bool wide) {
  std::vector<TextColumn> columns;
  for (std::size_t i = 0; i < grid.columns.size(); ++i) {
    const Column& column = grid.columns[i];
    if (column.label.empty() || (column.wide_only && !wide))
      continue;
    TextColumn text{column.label,     column_unit(grid, i), column.left, column.wide_only,
                    column.no_is_bad, column.secondary,     {}};
    for (const std::vector<Value>& row : grid.rows)
      text.cells.push_back(human_in(row[i], text.unit));
    if (columns.empty() || !says_nothing(text))
      columns.push_back(std::move(text));
  }
  return columns;
}

}  // namespace roofcast
