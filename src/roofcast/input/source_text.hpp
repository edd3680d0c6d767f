#pragma once

#include "roofcast/base/source_span.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace roofcast {

class ProblemList;

/// Converts byte offsets of a text into what editors show, and back. Keeps a view: the text must
/// outlive it.
class SourceText {
 public:
  explicit SourceText(std::string_view text);

  /// The offset of byte `column` of line `line`, both counted from 0; at most the size of the text.
  [[nodiscard]] std::size_t offset(int line, int column) const;
  /// 1-based, columns in code points.
  [[nodiscard]] SourcePosition position(std::size_t offset) const;
  /// The byte at `offset`; NUL beyond the end, which no accepted text contains.
  [[nodiscard]] char at(std::size_t offset) const {
    return offset < text_.size() ? text_[offset] : '\0';
  }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// The offset behind the quoted scalar whose opening quote is at `at`; npos when it is never
  /// closed.
  [[nodiscard]] std::size_t end_of_quoted(std::size_t at) const;
  /// Whether the text at `at` reads "key:", not "? key", "key" alone, or a key over several lines.
  [[nodiscard]] bool is_simple_key(std::size_t at, std::string_view key) const;

 private:
  [[nodiscard]] std::size_t code_points_before(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  std::vector<std::size_t> checkpoints_;  ///< code points before every kStride-th byte
};

/// Whether `text` holds a control character other than those in `allowed`.
bool holds_control(std::string_view text, std::string_view allowed);

/// Reports what makes a text no UTF-8 text file: malformed bytes, control characters (the first of
/// them only), and what strict YAML refuses before its structure counts: tabs that indent,
/// directives.
void check_text(const SourceText& source, ProblemList& problems);

}  // namespace roofcast
