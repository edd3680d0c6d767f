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

/// "FILE:LINE:COLUMN: error: MESSAGE", then the line of `text` and a caret under the column,
/// without a line end after it. Columns count code points; tabs are kept so that the caret stays
/// under its character; of a long line the 72 characters around the column are shown; control
/// characters and malformed bytes are shown as U+FFFD. A problem of the file as a whole is "FILE:
/// error: MESSAGE".
std::string describe(const Problem& problem, std::string_view text);

}  // namespace roofcast
