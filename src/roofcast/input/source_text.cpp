#include "roofcast/input/source_text.hpp"

#include "roofcast/base/utf8.hpp"
#include "roofcast/input/problem_list.hpp"

#include <algorithm>

namespace roofcast {
namespace {

// A line may be as long as the file and hold thousands of values, so columns are not counted from
// its start.
constexpr std::size_t kStride = 256;

bool starts_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t count_starts(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_allowed_control(const SourceText& source, std::size_t at) {
  const char c = source.at(at);
  return c == '\t' || c == '\n' || (c == '\r' && source.at(at + 1) == '\n');
}

std::string control_problem(std::string_view text, std::size_t at) {
  if (text[at] == '\0')
    return "the file holds a NUL byte; it is no text";
  if (text[at] == '\r')
    return "a carriage return alone does not end a line";
  return "the file holds a control character";
}

/// Whether every byte belongs to a printable code point, a tab or a line end; reports the first
/// that does not.
bool is_printable_text(const SourceText& source, ProblemList& problems) {
  const std::string_view text = source.text();
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    problems.add({}, "is UTF-16 text; save it as UTF-8");
    return false;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) {
      problems.add(source.position(at), "the file is not UTF-8 text");
      return false;
    }
    if (is_control(text, at, length) && !is_allowed_control(source, at)) {
      problems.add(source.position(at), control_problem(text, at));
      return false;
    }
    at += length;
  }
  return true;
}

/// A tab among the blanks that a line starts with; yaml-cpp refuses it even where nothing follows.
bool is_indented_by_tab(std::string_view line) {
  const std::size_t tab = line.find('\t');
  return tab != std::string_view::npos && line.find_first_not_of(' ') == tab;
}

}  // namespace

SourceText::SourceText(std::string_view text) : text_(text), line_starts_{0}, checkpoints_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n')
      line_starts_.push_back(i + 1);
  }
  for (std::size_t at = 0; at + kStride <= text.size(); at += kStride) {
    checkpoints_.push_back(checkpoints_.back() + count_starts(text.substr(at, kStride)));
  }
}

std::size_t SourceText::code_points_before(std::size_t offset) const {
  const std::size_t checkpoint = offset / kStride;
  const std::size_t start = checkpoint * kStride;
  return checkpoints_[checkpoint] + count_starts(text_.substr(start, offset - start));
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
  const std::size_t column = code_points_before(offset) - code_points_before(*(next - 1)) + 1;
  return {static_cast<int>(next - line_starts_.begin()), static_cast<int>(column)};
}

std::size_t SourceText::end_of_quoted(std::size_t at) const {
  const char quote = text_[at];
  for (std::size_t i = at + 1; i < text_.size(); ++i) {
    if (quote == '"' && text_[i] == '\\') {
      ++i;
    } else if (text_[i] == quote) {
      const bool doubled = quote == '\'' && this->at(i + 1) == quote;  // '' is an apostrophe
      if (!doubled)
        return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

bool SourceText::is_simple_key(std::size_t at, std::string_view key) const {
  std::size_t before = at;
  while (before > 0 && is_blank(text_[before - 1]))
    --before;
  if (before < at && before > 0 && text_[before - 1] == '?')
    return false;
  std::size_t end = at + key.size();
  if (this->at(at) == '"' || this->at(at) == '\'') {
    end = end_of_quoted(at);
  } else if (text_.substr(at, key.size()) != key) {
    return false;
  }
  while (is_blank(this->at(end)))
    ++end;
  return this->at(end) == ':';
}

bool holds_control(std::string_view text, std::string_view allowed) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(code_point_length(text, at), 1);
    if (is_control(text, at, length) && allowed.find(text[at]) == std::string_view::npos)
      return true;
    at += length;
  }
  return false;
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
