#pragma once

#include "roofcast/report/report.hpp"
#include "roofcast/report/writers/human_value.hpp"

#include <string>
#include <vector>

namespace roofcast {

/// One column of a grid as text, every cell in the same unit.
struct TextColumn {
  std::string label;
  ColumnUnit unit;
  bool left = false;
  bool wide_only = false;  ///< the first to go where room is short
  bool no_is_bad = false;
  bool secondary = false;
  std::vector<std::string> cells;
};

/// The columns that people see: labelled, not `wide_only` unless `wide`, and not empty in every
/// row.
std::vector<TextColumn> text_columns(const Grid& grid, bool wide);

/// Pads numbers with blanks so that right alignment puts their decimal points below each other.
void align_decimals(std::vector<std::string>& cells);

}  // namespace roofcast
