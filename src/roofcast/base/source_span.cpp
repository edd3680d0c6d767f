#include "roofcast/base/source_span.hpp"

#include "roofcast/base/utf8.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace roofcast {
namespace {

// Eight characters of gutter and 72 of source fill an 80-column terminal.
constexpr std::size_t kExcerptWidth = 72;
constexpr std::size_t kGutterWidth = 5;

/// Line `number` (1-based) without its line end; nothing beyond the last line.
std::optional<std::string_view> line_of(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return std::nullopt;
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r')
    text.remove_suffix(1);
  return text;
}

/// The part of a line that is shown, one string per code point, and where in it the caret stands.
struct Window {
  std::vector<std::string> characters;
  std::size_t caret = 0;
};

/// At most kExcerptWidth characters of `line` around its `column`-th; cuts are marked with "...".
Window window_around(std::string_view line, std::size_t column) {
  const std::size_t size = count_code_points(line);
  const std::size_t last_start = size - std::min(size, kExcerptWidth);
  const std::size_t caret = std::min(column, size);
  const std::size_t start = std::min(caret - std::min(caret, kExcerptWidth / 2), last_start);
  Window window{{}, caret - start};
  std::size_t index = 0;
  for (std::size_t at = 0; at < line.size() && index < start + kExcerptWidth; ++index) {
    const std::size_t length = std::max<std::size_t>(code_point_length(line, at), 1);
    const std::string_view character = line.substr(at, length);
    if (index >= start) {
      window.characters.push_back(character == "\t" ? "\t" : printable(character));
    }
    at += length;
  }
  if (start > 0)
    std::fill_n(window.characters.begin(), 3, ".");
  if (start < last_start)
    std::fill_n(window.characters.rbegin(), 3, ".");
  return window;
}

/// "    7 |   kv_heads: 5" and the caret line below it.
std::string excerpt(std::string_view line, SourcePosition at) {
  const Window window = window_around(line, static_cast<std::size_t>(std::max(at.column, 1) - 1));
  std::string number = std::to_string(at.line);
  // A blank at least: that is how an excerpt is told from the next problem.
  number.insert(0, std::max(kGutterWidth, number.size() + 1) - number.size(), ' ');
  std::string source;
  std::string blanks;  // a tab stays a tab, so that the caret stands under its character
  for (std::size_t i = 0; i < window.characters.size(); ++i) {
    source += window.characters[i];
    if (i < window.caret)
      blanks += window.characters[i] == "\t" ? '\t' : ' ';
  }
  return number + " | " + source + '\n' + std::string(number.size(), ' ') + " | " + blanks + '^';
}

}  // namespace

std::string describe(const Problem& problem, std::string_view text) {
  if (problem.at.line <= 0)
    return problem.file + ": error: " + problem.message;
  std::string result = problem.file + ':' + std::to_string(problem.at.line) + ':' +
                       std::to_string(problem.at.column) + ": error: " + problem.message;
  const std::optional<std::string_view> line = line_of(text, problem.at.line);
  if (line)
    result += '\n' + excerpt(*line, problem.at);
  return result;
}

}  // namespace roofcast
