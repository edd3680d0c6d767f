// Markdown: every block a pipe table, so that an answer can be pasted into an issue or a document.
#include "roofcast/report/report_writer.hpp"
#include "roofcast/report/writers/grid_cells.hpp"
#include "roofcast/report/writers/record_lines.hpp"

#include <ostream>

namespace roofcast {
namespace {

/// Pipes would end a cell.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|')
      result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string title_line(std::string_view title) {
  return title.empty() ? std::string() : "**" + escaped(title) + "**\n\n";
}

/// Markdown drops leading blanks; parts of a figure keep their mark.
std::string label_text(std::string_view label) {
  return label.starts_with("  ") ? "- " + escaped(label.substr(2)) : escaped(label);
}

std::string record_table(const Record& record) {
  std::string text = title_line(record.title) + "| | | |\n|:--|--:|:--|\n";
  for (const RecordLine& line : record_lines(record)) {
    const std::string separator = line.percent.empty() || line.note.empty() ? "" : "; ";
    text += "| " + label_text(line.label) + " | " + escaped(line.value) + " | " + line.percent +
            separator + escaped(line.note) + " |\n";
  }
  return text;
}

std::string records_table(const std::vector<const Record*>& records) {
  const GroupTable table = group_table(records);
  std::string head = "| |";
  std::string rule = "|:--|";
  for (const std::string& title : table.titles) {
    head += " " + escaped(title) + " |";
    rule += "--:|";
  }
  std::string text = title_line(records.front()->group) + head + "\n" + rule + "\n";
  for (const GroupTable::Row& row : table.rows) {
    text += "| " + label_text(row.label) + " |";
    for (const std::string& cell : row.cells)
      text += " " + escaped(cell) + " |";
    text += "\n";
  }
  return text;
}

std::string label_of(const TextColumn& column) {
  return escaped(column.unit.text.empty() ? column.label
                                          : column.label + " [" + column.unit.text + "]");
}

/// A column per row; the first column gives the heads.
std::string transposed_table(const Grid& grid) {
  std::string text = title_line(grid.title);
  const std::vector<TextColumn> lines = text_columns(grid, true);
  for (const TextColumn& line : lines) {
    text += "| " + label_of(line) + " |";
    for (const std::string& cell : line.cells)
      text += " " + escaped(cell) + " |";
    text += "\n";
    if (&line != &lines.front())
      continue;
    text += "|:--|";
    for (std::size_t row = 0; row < grid.rows.size(); ++row)
      text += "--:|";
    text += "\n";
  }
  return text;
}

std::string grid_table(const Grid& grid) {
  if (!grid.for_people())
    return "";
  if (grid.transposed)
    return transposed_table(grid);
  const std::vector<TextColumn> columns = text_columns(grid, true);
  std::string head = "|";
  std::string rule = "|";
  for (const TextColumn& column : columns) {
    head += " " + label_of(column) + " |";
    rule += column.left ? ":--|" : "--:|";
  }
  std::string text = title_line(grid.title) + head + "\n" + rule + "\n";
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    text += "|";
    for (const TextColumn& column : columns)
      text += " " + escaped(column.cells[row]) + " |";
    text += "\n";
  }
  return text;
}

std::string text_table(const Text& block) {
  std::string text = title_line(block.title) + "```\n";
  for (const std::string& line : block.lines)
    text += line + "\n";
  return text + "```\n";
}

/// Renders the block at `at` and moves past it and past the records of its group.
std::string next_block(const std::vector<Block>& blocks, std::size_t& at) {
  const Block& block = blocks[at++];
  if (const auto* grid = std::get_if<Grid>(&block))
    return grid_table(*grid);
  if (const auto* text = std::get_if<Text>(&block))
    return text_table(*text);
  const auto& record = std::get<Record>(block);
  if (!is_shown(record))
    return "";
  return record.group.empty() ? record_table(record) : records_table(take_group(blocks, --at));
}

class MarkdownWriter final : public ReportWriter {
 public:
  void write(const Report& report, std::ostream& out, const WriteOptions&) const override {
    std::string text = report.heading.empty() ? "" : "### " + report.heading + "\n";
    for (const std::string& line : report.subheading)
      text += "\n" + line + "\n";
    if (!report.alert.empty())
      text += "\n**" + report.alert + "**\n";
    for (std::size_t at = 0; at < report.blocks.size();) {
      const std::string block = next_block(report.blocks, at);
      if (!block.empty())
        text += "\n" + block;
    }
    if (!report.notes.empty())
      text += "\n";
    for (const Report::Note& note : report.notes) {
      text += note.key.empty() ? "* " : "* **Warning:** ";
      text += note.message + "\n";
    }
    if (report.verdict)
      text += "\n" + *report.verdict + "\n";
    out << text;
  }
};

ROOFCAST_WRITER("md", MarkdownWriter);

}  // namespace
}  // namespace roofcast
