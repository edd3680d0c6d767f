#include "roofcast/report/writers/grid_text.hpp"

#include "roofcast/report/writers/grid_cells.hpp"
#include "roofcast/report/writers/text_layout.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowText = 14;   // text columns are not wrapped to less,
constexpr std::size_t kLongestWord = 32;  // nor within a word, unless it is longer than this
constexpr int kWide = 120;

std::size_t columns(const WriteOptions& options) {
  return static_cast<std::size_t>(options.width);
}

std::string without_trailing_blanks(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string& word : wrap(text, 1000)) {
    std::size_t from = 0;
    while (from <= word.size()) {
      const std::size_t end = std::min(word.find(' ', from), word.size());
      longest = std::max(longest, text_width(std::string_view(word).substr(from, end - from)));
      from = end + 1;
    }
  }
  return longest;
}

/// Room that a column asks for: its cells, its unit, and the longest word of its label.
std::size_t natural_width(const TextColumn& column) {
  std::size_t width = std::max(longest_word(column.label), text_width(column.unit.text));
  for (const std::string& cell : column.cells)
    width = std::max(width, text_width(cell));
  return width;
}

std::size_t narrowest_width(const TextColumn& column) {
  std::size_t width = std::max(kNarrowText, longest_word(column.label));
  for (const std::string& cell : column.cells) {
    width = std::max(width, std::min(kLongestWord, longest_word(cell)));
  }
  return width;
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  return kIndent + std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         kGap * (widths.empty() ? 0 : widths.size() - 1);
}

/// Leaves out what only wide tables show, from the right, as long as room is short.
void drop_extras(std::vector<TextColumn>& shown, std::vector<std::size_t>& widths,
                 std::size_t room) {
  for (std::size_t i = shown.size(); i-- > 0 && total_width(widths) > room;) {
    if (!shown[i].wide_only)
      continue;
    shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));
    widths.erase(widths.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// The last of the secondary columns, else the last of all; never the first, which names the row.
std::size_t first_to_go(const std::vector<TextColumn>& shown) {
  for (std::size_t i = shown.size(); i-- > 1;) {
    if (shown[i].secondary)
      return i;
  }
  return shown.size() - 1;
}

struct Fitted {
  std::vector<std::string> dropped;  ///< labels of what was left out
  std::size_t wanted = 0;            ///< columns of a screen on which nothing would be
};

/// Narrows text columns, the widest first, and then leaves out columns until all fits.
Fitted fit(std::vector<TextColumn>& shown, std::vector<std::size_t>& widths, std::size_t room) {
  std::vector<std::size_t> narrowest;
  narrowest.reserve(shown.size());
  for (const TextColumn& column : shown)
    narrowest.push_back(narrowest_width(column));
  while (total_width(widths) > room) {
    std::size_t widest = shown.size();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const bool can = shown[i].left && widths[i] > narrowest[i];
      if (can && (widest == shown.size() || widths[i] > widths[widest]))
        widest = i;
    }
    if (widest == shown.size())
      break;
    --widths[widest];
  }
  Fitted fitted{.dropped = {}, .wanted = total_width(widths)};
  while (total_width(widths) > room && shown.size() > 1) {
    const std::size_t at = first_to_go(shown);
    fitted.dropped.insert(fitted.dropped.begin(), shown[at].label);
    shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(at));
    widths.erase(widths.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return fitted;
}

std::string aligned(const TextColumn& column, std::string_view cell, std::size_t width) {
  return column.left ? pad_right(cell, width) : pad_left(cell, width);
}

/// The cell of one row, padded; "no" in red where it is bad news.
std::string weighted(const TextColumn& column, const std::string& cell, std::string padded,
                     const Style& style) {
  const bool bad = column.no_is_bad && cell == "no";
  if (!bad)
    return padded;
  const std::size_t at = padded.find(cell);
  return padded.substr(0, at) + style.alert(cell) + padded.substr(at + cell.size());
}

std::string header(const std::vector<TextColumn>& shown, const std::vector<std::size_t>& widths,
                   const Style& style) {
  std::vector<std::vector<std::string>> labels;
  std::size_t height = 0;
  bool units = false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    labels.push_back(wrap(shown[i].label, widths[i]));
    height = std::max(height, labels.back().size());
    units = units || !shown[i].unit.text.empty();
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string row(kIndent, ' ');
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::size_t skip = height - labels[i].size();  // labels stand on the bottom line
      row += aligned(shown[i], line < skip ? "" : labels[i][line - skip], widths[i]);
      row += std::string(kGap, ' ');
    }
    text += style.bold(without_trailing_blanks(row)) + "\n";
  }
  if (!units)
    return text;
  std::string row(kIndent, ' ');
  for (std::size_t i = 0; i < shown.size(); ++i) {
    row += aligned(shown[i], shown[i].unit.text, widths[i]) + std::string(kGap, ' ');
  }
  return text + style.dim(without_trailing_blanks(row)) + "\n";
}

std::string body_row(const std::vector<TextColumn>& shown, const std::vector<std::size_t>& widths,
                     std::size_t at, const Style& style) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string& cell = shown[i].cells[at];
    cells.push_back(shown[i].left ? wrap(cell, widths[i]) : std::vector<std::string>{cell});
    height = std::max(height, cells.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string row(kIndent, ' ');
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::string cell = line < cells[i].size() ? cells[i][line] : "";
      row += weighted(shown[i], cell, aligned(shown[i], cell, widths[i]), style);
      row += std::string(kGap, ' ');
    }
    text += without_trailing_blanks(row) + "\n";
  }
  return text;
}

std::string title_line(const Grid& grid, const WriteOptions& options) {
  if (grid.title.empty())
    return "";
  std::string text;
  for (const std::string& line : wrap(grid.title, columns(options)))
    text += Style(options.colour).bold(line) + "\n";
  return text;
}

}  // namespace

std::string grid_text(const Grid& grid, const WriteOptions& options) {
  const Style style(options.colour);
  std::string text = title_line(grid, options);
  if (grid.rows.empty())
    return text + std::string(kIndent, ' ') + "none\n";
  std::vector<TextColumn> shown = text_columns(grid, options.width >= kWide);
  std::vector<std::size_t> widths;
  for (TextColumn& column : shown) {
    if (!column.left)
      align_decimals(column.cells);
    widths.push_back(natural_width(column));
  }
  drop_extras(shown, widths, columns(options));
  const Fitted fitted = fit(shown, widths, columns(options));
  text += header(shown, widths, style);
  for (std::size_t row = 0; row < grid.rows.size(); ++row)
    text += body_row(shown, widths, row, style);
  if (!fitted.dropped.empty()) {
    const std::string remark =
        fmt::format("not shown for want of room: {}; --width {} or --format csv has them",
                    fmt::join(fitted.dropped, ", "), fitted.wanted);
    for (const std::string& line : wrap(remark, columns(options) - kIndent)) {
      text += std::string(kIndent, ' ') + style.dim(line) + "\n";
    }
  }
  return text;
}

std::string transposed_grid_text(const Grid& grid, const WriteOptions& options) {
  const Style style(options.colour);
  std::string text = title_line(grid, options);
  const std::vector<TextColumn> lines = text_columns(grid, options.width >= kWide);
  if (lines.empty() || grid.rows.empty())
    return text + std::string(kIndent, ' ') + "none\n";
  std::size_t label = 0;
  std::size_t unit = 0;
  for (const TextColumn& line : lines) {
    label = std::max(label, text_width(line.label));
    unit = std::max(unit, text_width(line.unit.text));
  }
  std::vector<std::size_t> widths;
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    std::size_t width = 0;
    for (const TextColumn& line : lines)
      width = std::max(width, text_width(line.cells[row]));
    widths.push_back(width);
  }
  const std::size_t left = kIndent + label + (unit > 0 ? kGap + unit : 0);
  for (std::size_t first = 0; first < grid.rows.size();) {
    // As many candidates as the width holds, at least one; the rest follows below.
    std::size_t last = first;
    std::size_t used = left;
    while (last < grid.rows.size() &&
           (last == first || used + kGap + widths[last] <= columns(options))) {
      used += kGap + widths[last++];
    }
    if (first > 0)
      text += "\n";
    for (const TextColumn& line : lines) {
      std::string row =
          std::string(kIndent, ' ') + pad_right(&line == &lines.front() ? "" : line.label, label);
      if (unit > 0)
        row += std::string(kGap, ' ') + pad_right(line.unit.text, unit);
      for (std::size_t i = first; i < last; ++i) {
        row += std::string(kGap, ' ') +
               weighted(line, line.cells[i], pad_left(line.cells[i], widths[i]), style);
      }
      row = without_trailing_blanks(row);
      text += (&line == &lines.front() ? style.bold(row) : row) + "\n";
    }
    first = last;
  }
  return text;
}

}  // namespace roofcast
