#include "roofcast/report/writers/record_text.hpp"

#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/report/writers/record_lines.hpp"
#include "roofcast/report/writers/text_layout.hpp"

#include <algorithm>
#include <numeric>

namespace roofcast {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kLongText = 28;    // longer values are paragraphs of their own
constexpr std::size_t kNarrowNote = 24;  // a note that has less room goes below its value
constexpr std::size_t kLongestBar = 24;
constexpr std::size_t kShortestBar = 8;

std::string margin() {
  return std::string(kIndent, ' ');
}

std::size_t columns(const WriteOptions& options) {
  return static_cast<std::size_t>(options.width);
}

std::string trimmed(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

bool is_paragraph(const RecordLine& line) {
  return line.is_text && text_width(line.value) > kLongText;
}

struct Widths {
  std::size_t label = 0;
  std::size_t value = 0;
  std::size_t percent = 0;
};

Widths measure(const std::vector<RecordLine>& lines) {
  Widths widths;
  for (const RecordLine& line : lines) {
    widths.label = std::max(widths.label, text_width(line.label));
    widths.percent = std::max(widths.percent, text_width(line.percent));
    if (!is_paragraph(line))
      widths.value = std::max(widths.value, text_width(line.value));
  }
  return widths;
}

/// `text` in what is left of a line that has `used` columns, continued under its own beginning.
std::string hanging(std::string_view text, std::size_t used, const WriteOptions& options) {
  constexpr std::size_t kLeast = 8;
  const std::size_t room = std::max(columns(options), used + kLeast) - used;
  std::string result;
  for (const std::string& line : wrap(text, room)) {
    if (!result.empty())
      result += "\n" + std::string(used, ' ');
    result += line;
  }
  return result;
}

/// Each line of a hanging text dimmed for itself, so that no colour runs over a line's end.
std::string dimmed(std::string_view text, const Style& style) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t start = std::min(text.find_first_not_of(' '), end);
    result += std::string(start, ' ') + style.dim(text.substr(start, end - start));
    if (end < text.size())
      result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

/// One record being laid out.
class RecordLayout {
 public:
  RecordLayout(const std::vector<RecordLine>& lines, const WriteOptions& options)
      : widths_(measure(lines)),
        text_only_(
            std::all_of(lines.begin(), lines.end(), [](const auto& line) { return line.is_text; })),
        options_(options),
        style_(options.colour),
        start_(kIndent + widths_.label + kGap) {}

  [[nodiscard]] std::string text(const RecordLine& line) const {
    const std::string label = margin() + pad_right(line.label, widths_.label + kGap);
    return is_paragraph(line) ? label + paragraph(line) : trimmed(label + figure(line)) + "\n";
  }

 private:
  [[nodiscard]] std::string paragraph(const RecordLine& line) const {
    std::string text = hanging(line.value, start_, options_) + "\n";
    if (!line.note.empty()) {
      text +=
          std::string(start_, ' ') + dimmed(hanging(line.note, start_, options_), style_) + "\n";
    }
    return text;
  }

  [[nodiscard]] std::string figure(const RecordLine& line) const {
    std::size_t used = start_ + widths_.value;
    std::string text =
        text_only_ ? pad_right(line.value, widths_.value) : pad_left(line.value, widths_.value);
    const std::string gap(kGap, ' ');
    if (!line.percent.empty()) {
      text += gap + style_.dim(pad_left(line.percent, widths_.percent));
      used += kGap + widths_.percent;
    }
    if (line.share && used + kGap + kShortestBar <= columns(options_)) {
      const std::size_t room = columns(options_) - used - kGap;
      const std::string drawn = bar(*line.share, std::min(kLongestBar, room));
      text += gap + style_.accent(drawn);
      used += kGap + text_width(drawn);
    }
    return line.note.empty() ? text : text + note(line.note, used);
  }

  [[nodiscard]] std::string note(const std::string& note, std::size_t used) const {
    used += kGap;
    const bool below = used + std::min(text_width(note), kNarrowNote) > columns(options_);
    const std::string before = below ? "\n" + std::string(start_, ' ') : std::string(kGap, ' ');
    return before + dimmed(hanging(note, below ? start_ : used, options_), style_);
  }

  Widths widths_;
  bool text_only_;
  const WriteOptions& options_;
  Style style_;
  std::size_t start_;
};

std::string title_line(std::string_view title, const WriteOptions& options) {
  if (title.empty())
    return "";
  std::string text;
  for (const std::string& line : wrap(title, columns(options)))
    text += Style(options.colour).bold(line) + "\n";
  return text;
}

/// The three lines of a headline, filled column by column.
struct HeadlineRows {
  std::string labels;
  std::string values;
  std::string notes;
};

}  // namespace

std::string record_list(const Record& record, const WriteOptions& options) {
  const std::vector<RecordLine> lines = record_lines(record);
  const RecordLayout layout(lines, options);
  std::string text = title_line(record.title, options);
  for (const RecordLine& line : lines)
    text += layout.text(line);
  return text;
}

std::string record_headline(const Record& record, const WriteOptions& options) {
  constexpr std::size_t kWideGap = 4;
  const Style style(options.colour);
  std::vector<HeadlineRows> rows(1);
  std::size_t used = kIndent;
  for (const RecordLine& line : record_lines(record)) {
    const std::size_t width =
        std::max({text_width(line.label), text_width(line.value), text_width(line.note)});
    if (used > kIndent && used + width > columns(options)) {
      rows.emplace_back();
      used = kIndent;
    }
    used += width + kWideGap;
    HeadlineRows& row = rows.back();
    row.labels += pad_right(line.label, width + kWideGap);
    row.values +=
        style.bold(line.value) + std::string(width + kWideGap - text_width(line.value), ' ');
    row.notes += pad_right(line.note, width + kWideGap);
  }
  std::string text = title_line(record.title, options);
  for (const HeadlineRows& row : rows) {
    text +=
        margin() + style.dim(trimmed(row.labels)) + "\n" + margin() + trimmed(row.values) + "\n";
    if (!trimmed(row.notes).empty())
      text += margin() + style.dim(trimmed(row.notes)) + "\n";
  }
  return text;
}

std::string records_side_by_side(const std::vector<const Record*>& records,
                                 const WriteOptions& options) {
  constexpr std::size_t kWideGap = 4;
  const Style style(options.colour);
  const GroupTable table = group_table(records);
  std::size_t label_width = text_width(records.front()->group);
  std::vector<std::size_t> widths;
  for (const std::string& title : table.titles)
    widths.push_back(text_width(title));
  for (const GroupTable::Row& row : table.rows) {
    label_width = std::max(label_width, kIndent + text_width(row.label));
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row.cells[i]));
  }
  const std::size_t total =
      std::accumulate(widths.begin(), widths.end(), label_width,
                      [](std::size_t sum, std::size_t width) { return sum + kWideGap + width; });
  std::string text;
  if (total > columns(options)) {
    for (const Record* record : records)
      text.append(text.empty() ? "" : "\n").append(record_list(*record, options));
    return text;
  }
  const auto line = [&](std::string result, const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      result += std::string(kWideGap, ' ') + pad_left(cells[i], widths[i]);
    return trimmed(result);
  };
  text = style.bold(line(pad_right(records.front()->group, label_width), table.titles)) + "\n";
  for (const GroupTable::Row& row : table.rows)
    text += line(pad_right(margin() + row.label, label_width), row.cells) + "\n";
  return text;
}

}  // namespace roofcast
