#pragma once

#include "roofcast/report/report.hpp"
#include "roofcast/report/report_writer.hpp"

#include <string>

namespace roofcast {

/// A grid for people: labels and units above, numbers aligned at their decimal point, text cells
/// wrapped where the width asks for it. Columns for which there is no room are named in a line
/// below.
std::string grid_text(const Grid& grid, const WriteOptions& options);

/// A grid whose rows are candidates: a line per quantity, a column per candidate.
std::string transposed_grid_text(const Grid& grid, const WriteOptions& options);

}  // namespace roofcast
