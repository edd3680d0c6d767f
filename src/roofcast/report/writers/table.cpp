// The answer for a person at a terminal: what was asked, the figures it was about, the blocks, what
// to know about them, and a closing sentence.
#include "roofcast/report/report_writer.hpp"
#include "roofcast/report/writers/grid_text.hpp"
#include "roofcast/report/writers/record_lines.hpp"
#include "roofcast/report/writers/record_text.hpp"
#include "roofcast/report/writers/text_layout.hpp"

#include <algorithm>
#include <ostream>

namespace roofcast {
namespace {

/// Lines of a formula keep their own indentation; continuations are indented by four more.
std::string text_block(const Text& text, const WriteOptions& options) {
  const Style style(options.colour);
  std::string result = text.title.empty() ? std::string() : style.bold(text.title) + "\n";
  for (const std::string& line : text.lines) {
    const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t indent = 2 + own;
    const auto width = static_cast<std::size_t>(options.width);
    const std::size_t room = width > indent + 24 ? width - indent - 4 : 20;
    bool first = true;
    for (const std::string& part : wrap(line.substr(own), room)) {
      result += (part.empty() ? "" : std::string(indent + (first ? 0 : 4), ' ') + part) + "\n";
      first = false;
    }
  }
  return result;
}

std::string note_text(const Report::Note& note, const WriteOptions& options) {
  const Style style(options.colour);
  const std::string label = note.key.empty() ? "note: " : "warning: ";
  const std::size_t indent = label.size();
  std::string text;
  for (const std::string& line :
       wrap(note.message, static_cast<std::size_t>(options.width) - indent)) {
    text += text.empty() ? (note.key.empty() ? style.dim(label) : style.warning(label))
                         : std::string(indent, ' ');
    text += line + "\n";
  }
  return text;
}

/// Renders the block at `at` and moves past it and past the records of its group.
std::string next_block(const std::vector<Block>& blocks, std::size_t& at,
                       const WriteOptions& options) {
  const Block& block = blocks[at++];
  if (const auto* grid = std::get_if<Grid>(&block)) {
    if (!grid->for_people())
      return "";
    return grid->transposed ? transposed_grid_text(*grid, options) : grid_text(*grid, options);
  }
  if (const auto* text = std::get_if<Text>(&block))
    return text_block(*text, options);
  const auto& record = std::get<Record>(block);
  if (!is_shown(record))
    return "";
  if (record.headline)
    return record_headline(record, options);
  if (record.group.empty())
    return record_list(record, options);
  return records_side_by_side(take_group(blocks, --at), options);
}

std::string wrapped(std::string_view text, const WriteOptions& options,
                    std::string (Style::*weight)(std::string_view) const) {
  const Style style(options.colour);
  std::string result;
  for (const std::string& line : wrap(text, static_cast<std::size_t>(options.width))) {
    result += (style.*weight)(line) + "\n";
  }
  return result;
}

class TableWriter final : public ReportWriter {
 public:
  void write(const Report& report, std::ostream& out, const WriteOptions& options) const override {
    std::vector<std::string> parts;
    std::string head;
    if (!report.heading.empty())
      head += wrapped(report.heading, options, &Style::bold);
    for (const std::string& line : report.subheading)
      head += wrapped(line, options, &Style::dim);
    if (!report.alert.empty())
      head += "\n" + wrapped(report.alert, options, &Style::alert);
    parts.push_back(head);
    for (std::size_t at = 0; at < report.blocks.size();) {
      parts.push_back(next_block(report.blocks, at, options));
    }
    std::string notes;
    for (const Report::Note& note : report.notes)
      notes += note_text(note, options);
    parts.push_back(notes);
    if (report.verdict)
      parts.push_back(wrapped(*report.verdict, options, &Style::bold));
    bool first = true;
    for (const std::string& part : parts) {
      if (part.empty())
        continue;
      out << (first ? "" : "\n") << part;
      first = false;
    }
  }
};

ROOFCAST_WRITER("table", TableWriter);

}  // namespace
}  // namespace roofcast
