#include "roofcast/input/source_text.hpp"

#include "roofcast/base/utf8.hpp"
#include "roofcast/input/problem_list.hpp"

#include <algorithm>

namespace roofcast {
namespace {

bool is_allowed_control(const SourceText& source, std::size_t at) {
  const char c = source.at(at);
  return c == '\t' || c == '\n' || (c == '\r' && source.at(at + 1) == '\n');
}

/// Whether every byte belongs to a printable code point, a tab or a line end; reports the first
/// that does not.
bool is_printable_text(const SourceText& source, ProblemList& problems) {
  const std::string_view text = source.text();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) {
      const bool utf16 = at == 0 && (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"));
      problems.add(source.position(at),
                   utf16 ? "the file is UTF-16; save it as UTF-8" : "the file is not UTF-8 text");
      return false;
    }
    if (is_control(text, at, length) && !is_allowed_control(source, at)) {
      problems.add(source.position(at), text[at] == '\0'
                                            ? "the file holds a NUL byte; it is no text"
                                            : "control character");
      return false;
    }
    at += length;
  }
  return true;
}

/// A tab in the blanks that a line starts with, unless nothing follows them.
bool is_indented_by_tab(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t tab = line.find('\t');
  return tab < indent && line.find_first_not_of(" \t\r") != std::string_view::npos;
}

}  // namespace

SourceText::SourceText(std::string_view text) : text_(text), line_starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n')
      line_starts_.push_back(i + 1);
  }
}

std::size_t SourceText::offset(int line, int column) const {
  if (line < 0)
    return 0;
  if (static_cast<std::size_t>(line) >= line_starts_.size())
    return text_.size();
  const std::size_t start = line_starts_[static_cast<std::size_t>(line)];
  return std::min(start + static_cast<std::size_t>(std::max(column, 0)), text_.size());
}

SourcePosition SourceText::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::size_t start = *(next - 1);
  const std::size_t column = count_code_points(text_.substr(start, offset - start)) + 1;
  return {static_cast<int>(next - line_starts_.begin()), static_cast<int>(column)};
}

void check_text(const SourceText& source, ProblemList& problems) {
  if (!is_printable_text(source, problems))
    return;
  const std::string_view text = source.text();
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    if (is_indented_by_tab(line)) {
      problems.add(source.position(start + line.find('\t')), "a tab cannot indent; use spaces");
    }
    if (line.starts_with('%')) {
      problems.add(source.position(start), "directives ('%...') are not allowed");
    }
    start = end + 1;
  }
}

}  // namespace roofcast
