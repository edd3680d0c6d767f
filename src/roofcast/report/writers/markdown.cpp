// Markdown: every block a pipe table, so that an answer can be pasted into an issue or a document.
#include "roofcast/report/report_writer.hpp"
#include "roofcast/report/writers/grid_cells.hpp"
#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/units/format.hpp"

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

std::string record_table(const Record& record) {
  std::string text;
  for (const Field& field : record.fields) {
    if (field.label.empty())
      continue;
    const std::string share = field.share ? format_percent(*field.share) : "";
    const std::string remark =
        share + (share.empty() || field.note.empty() ? "" : "; ") + field.note;
    text += "| " + escaped(field.label) + " | " + escaped(human(field.value)) + " | " +
            escaped(remark) + " |\n";
  }
  if (text.empty() || record.machine_only)
    return "";
  const std::string title = record.title.empty() ? record.group : record.title;
  return title_line(title) + "| | | |\n|:--|--:|:--|\n" + text;
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

class MarkdownWriter final : public ReportWriter {
 public:
  void write(const Report& report, std::ostream& out, const WriteOptions&) const override {
    std::string text = report.heading.empty() ? "" : "### " + report.heading + "\n";
    for (const std::string& line : report.subheading)
      text += "\n" + line + "\n";
    for (const Block& block : report.blocks) {
      std::string table;
      if (const auto* record = std::get_if<Record>(&block))
        table = record_table(*record);
      if (const auto* grid = std::get_if<Grid>(&block))
        table = grid_table(*grid);
      if (const auto* lines = std::get_if<Text>(&block))
        table = text_table(*lines);
      if (!table.empty())
        text += "\n" + table;
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
