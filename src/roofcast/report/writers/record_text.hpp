#pragma once

#include "roofcast/report/report.hpp"
#include "roofcast/report/report_writer.hpp"

#include <string>
#include <vector>

/// How records look to a person. Lines are indented by two columns under their title and keep
/// within `options.width`.
namespace roofcast {

/// Label, value, share with its bar, note: one line per field.
std::string record_list(const Record& record, const WriteOptions& options);

/// The figures in one line: labels above, values, notes below.
std::string record_headline(const Record& record, const WriteOptions& options);

/// Records of one group, a column each, lines matched by key. `records` is not empty.
std::string records_side_by_side(const std::vector<const Record*>& records,
                                 const WriteOptions& options);

}  // namespace roofcast
