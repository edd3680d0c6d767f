#include "roofcast/report/writers/grid_cells.hpp"

#include <algorithm>

namespace roofcast {
namespace {

ColumnUnit column_unit(const Grid& grid, std::size_t index) {
  for (const std::vector<Value>& row : grid.rows) {
    if (!is_unitless(row[index]))
      return unit_of(row[index]);
  }
  return {};
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
    TextColumn text{column.label, column_unit(grid, i), column.left, {}};
    for (const std::vector<Value>& row : grid.rows)
      text.cells.push_back(human_in(row[i], text.unit));
    columns.push_back(std::move(text));
  }
  return columns;
}

}  // namespace roofcast
