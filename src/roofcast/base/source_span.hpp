#pragma once

#include <string>
#include <string_view>

namespace roofcast {

/// A place in a text file, 1-based as editors count; line 0 means "the file as a whole".
struct SourcePosition {
  int line = 0;
  int column = 0;
};

/// One problem in an input file: where, what, and what would help.
struct Problem {
  std::string file;
  SourcePosition at;
  std::string message;
};

/// "FILE:LINE:COLUMN: error: MESSAGE", then the line of `text` and a caret under the column. Tabs
/// are kept so that the caret stays under its character; long lines are cut around the column.
std::string describe(const Problem& problem, std::string_view text);

}  // namespace roofcast
