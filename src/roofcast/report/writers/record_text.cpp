#include "roofcast/report/writers/record_text.hpp"

#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/report/writers/text_layout.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <optional>

namespace roofcast {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kLongText = 28;    // longer values are paragraphs of their own
constexpr std::size_t kNarrowNote = 24;  // a note that has less room goes below its value
constexpr std::size_t kBar = 24;

const std::string kMargin(kIndent, ' ');

std::size_t columns(const WriteOptions& options) {
  return static_cast<std::size_t>(options.width);
}

bool is_text(const Value& value) {
  return std::holds_alternative<std::string>(value);
}

/// One field, ready to be aligned with its neighbours.
struct Line {
  std::string label;
  std::string value;
  bool paragraph = false;
  std::string percent;
  std::optional<double> share;
  std::string note;
};

/// Memory of one ledger stands in one unit, that of its first line.
std::string ledger_text(const Value& value, const ColumnUnit& unit) {
  if (!std::holds_alternative<Capacity>(value) || unit.text.empty())
    return human(value);
  return human_in(value, unit) + " " + unit.text;
}

std::vector<Line> lines_of(const Record& record) {
  ColumnUnit ledger_unit;
  for (const Field& field : record.fields) {
    const bool is_ledger =
        std::holds_alternative<Capacity>(field.value) && !is_unitless(field.value);
    if (is_ledger && ledger_unit.text.empty())
      ledger_unit = unit_of(field.value);
  }
  std::vector<Line> lines;
  for (const Field& field : record.fields) {
    if (field.label.empty())
      continue;
    Line line{field.label, ledger_text(field.value, ledger_unit), false, "", field.share,
              field.note};
    line.paragraph = is_text(field.value) && text_width(line.value) > kLongText;
    if (field.share)
      line.percent = format_percent(*field.share);
    lines.push_back(std::move(line));
  }
  return lines;
}

struct Widths {
  std::size_t label = 0;
  std::size_t value = 0;
  std::size_t percent = 0;
};

Widths measure(const std::vector<Line>& lines) {
  Widths widths;
  for (const Line& line : lines) {
    widths.label = std::max(widths.label, text_width(line.label));
    widths.percent = std::max(widths.percent, text_width(line.percent));
    if (!line.paragraph)
      widths.value = std::max(widths.value, text_width(line.value));
  }
  return widths;
}

/// `text` in what is left of a line that has `used` columns, continued under its own beginning.
std::string hanging(std::string_view text, std::size_t used, const WriteOptions& options,
                    const Style* dim) {
  const std::size_t room = columns(options) > used + 8 ? columns(options) - used : 8;
  std::string result;
  for (const std::string& line : wrap(text, room)) {
    if (!result.empty())
      result += "\n" + std::string(used, ' ');
    result += dim != nullptr ? dim->dim(line) : line;
  }
  return result;
}

std::string rendered(const Line& line, const Widths& widths, bool text_only,
                     const WriteOptions& options) {
  const Style style(options.colour);
  const std::size_t start = kIndent + widths.label + kGap;
  std::string text = kMargin + pad_right(line.label, widths.label + kGap);
  if (line.paragraph) {
    text += hanging(line.value, start, options, nullptr);
    if (line.note.empty())
      return text + "\n";
    return text + "\n" + std::string(start, ' ') + hanging(line.note, start, options, &style) +
           "\n";
  }
  std::size_t used = start + widths.value;
  text += text_only ? pad_right(line.value, widths.value) : pad_left(line.value, widths.value);
  if (!line.percent.empty()) {
    text += std::string(kGap, ' ') + style.dim(pad_left(line.percent, widths.percent));
    used += kGap + widths.percent;
  }
  if (line.share) {
    const std::string drawn = bar(*line.share, kBar);
    text += std::string(kGap, ' ') + style.accent(drawn);
    used += kGap + text_width(drawn);
  }
  if (!line.note.empty()) {
    used += kGap;
    if (used + std::min(text_width(line.note), kNarrowNote) > columns(options)) {
      text += "\n" + std::string(start, ' ');
      used = start;
    } else {
      text += std::string(kGap, ' ');
    }
    text += hanging(line.note, used, options, &style);
  }
  const std::size_t end = text.find_last_not_of(' ');
  return text.substr(0, end + 1) + "\n";
}

std::string title_line(std::string_view title, const Style& style) {
  return title.empty() ? std::string() : style.bold(title) + "\n";
}

const Field* find_field(const Record& record, const Field& like) {
  for (const Field& field : record.fields) {
    const bool same = like.key.empty() ? field.label == like.label : field.key == like.key;
    if (same && !field.label.empty())
      return &field;
  }
  return nullptr;
}

/// The lines of all records, each once: a decode has a number of steps, a prefill has none.
std::vector<const Field*> all_lines(const std::vector<const Record*>& records) {
  std::vector<const Field*> fields;
  for (const Record* record : records) {
    for (const Field& field : record->fields) {
      if (field.label.empty())
        continue;
      const bool known = std::any_of(fields.begin(), fields.end(), [&](const Field* f) {
        return field.key.empty() ? f->label == field.label : f->key == field.key;
      });
      if (!known)
        fields.push_back(&field);
    }
  }
  return fields;
}

}  // namespace

std::string record_list(const Record& record, const WriteOptions& options) {
  const std::vector<Line> lines = lines_of(record);
  const Widths widths = measure(lines);
  const bool text_only =
      std::all_of(record.fields.begin(), record.fields.end(), [](const Field& f) {
        return f.label.empty() || is_text(f.value) || std::holds_alternative<bool>(f.value);
      });
  std::string text = title_line(record.title, Style(options.colour));
  for (const Line& line : lines)
    text += rendered(line, widths, text_only, options);
  return text;
}

std::string record_headline(const Record& record, const WriteOptions& options) {
  const Style style(options.colour);
  constexpr std::size_t kWideGap = 4;
  struct Rows {
    std::string labels;
    std::string values;
    std::string notes;
    bool any_note = false;
  };
  std::vector<Rows> rows(1);
  std::size_t used = 0;
  for (const Field& field : record.fields) {
    if (field.label.empty())
      continue;
    const std::string value = human(field.value);
    const std::size_t width =
        std::max({text_width(field.label), text_width(value), text_width(field.note)});
    if (used > 0 && kIndent + used + width > columns(options)) {
      rows.emplace_back();
      used = 0;
    }
    used += width + kWideGap;
    Rows& row = rows.back();
    row.labels += pad_right(field.label, width + kWideGap);
    row.values += style.bold(value) + std::string(width + kWideGap - text_width(value), ' ');
    row.notes += pad_right(field.note, width + kWideGap);
    row.any_note = row.any_note || !field.note.empty();
  }
  const auto trimmed = [](const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1);
  };
  std::string text = title_line(record.title, style);
  for (const Rows& row : rows) {
    text += kMargin + style.dim(trimmed(row.labels)) + "\n" + kMargin + trimmed(row.values) + "\n";
    if (row.any_note)
      text += kMargin + style.dim(trimmed(row.notes)) + "\n";
  }
  return text;
}

std::string records_side_by_side(const std::vector<const Record*>& records,
                                 const WriteOptions& options) {
  const Style style(options.colour);
  const std::vector<const Field*> fields = all_lines(records);
  std::size_t label_width = text_width(records.front()->group);
  for (const Field* field : fields) {
    label_width = std::max(label_width, kIndent + text_width(field->label));
  }
  std::size_t total = label_width;
  std::vector<std::pair<std::size_t, std::size_t>> widths;  // of value and note
  for (const Record* record : records) {
    std::size_t value = text_width(record->title);
    std::size_t note = 0;
    for (const Field* like : fields) {
      const Field* field = find_field(*record, *like);
      if (field == nullptr)
        continue;
      value = std::max(value, text_width(human(field->value)));
      note = std::max(note, text_width(field->note));
    }
    widths.emplace_back(value, note);
    total += 2 * kGap + value + (note > 0 ? 1 + note : 0);
  }
  if (total > columns(options)) {
    std::string text;
    for (const Record* record : records)
      text += record_list(*record, options);
    return text;
  }
  std::string text = style.bold(pad_right(records.front()->group, label_width));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto [value, note] = widths[i];
    text += std::string(2 * kGap, ' ') + style.bold(pad_left(records[i]->title, value));
    if (note > 0 && i + 1 < records.size())
      text += std::string(1 + note, ' ');
  }
  text += "\n";
  for (const Field* like : fields) {
    std::string line = kMargin + pad_right(like->label, label_width - kIndent);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto [value, note] = widths[i];
      const Field* field = find_field(*records[i], *like);
      line += std::string(2 * kGap, ' ') + pad_left(field ? human(field->value) : "", value);
      if (note > 0) {
        const std::string remark = field ? field->note : "";
        line += " " + style.dim(remark) + std::string(note - text_width(remark), ' ');
      }
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace roofcast
