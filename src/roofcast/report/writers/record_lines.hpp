#pragma once

#include "roofcast/report/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofcast {

/// One field of a record as people see it.
struct RecordLine {
  std::string label;
  std::string value;
  bool is_text = false;
  std::optional<double> share;
  std::string percent;  ///< of the share
  std::string note;
};

/// The fields that people see: labelled and not empty. Memory stands in one unit throughout a
/// record.
std::vector<RecordLine> record_lines(const Record& record);

/// The records of one group side by side.
struct GroupTable {
  struct Row {
    std::string label;
    std::vector<std::string> cells;  ///< one for each record; empty where it has no such field
  };
  std::vector<std::string> titles;
  std::vector<Row> rows;
};

/// Lines are matched by key and stand in the order of the fields.
GroupTable group_table(const std::vector<const Record*>& records);

/// The consecutive records of the group of the record at `at` that people see; `at` moves behind
/// them.
std::vector<const Record*> take_group(const std::vector<Block>& blocks, std::size_t& at);

/// Whether people see anything of it.
bool is_shown(const Record& record);

}  // namespace roofcast
