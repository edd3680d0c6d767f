// CSV after RFC 4180, but for line feeds alone at the ends of lines, which every reader takes. A
// report with grids is its grids, each a header and its rows, with an empty line between two; a
// report of records alone is one header of dotted keys and one row.
#include "roofcast/report/report_writer.hpp"
#include "roofcast/report/writers/machine_value.hpp"

#include <ostream>

namespace roofcast {
namespace {

void append_header(std::string& out, const Grid& grid) {
  bool first = true;
  for (const Column& column : grid.columns) {
    if (column.key.empty())
      continue;
    if (!first)
      out += ',';
    first = false;
    append_csv_text(out, column.key);
  }
  out += '\n';
}

void append_row(std::string& out, const Grid& grid, const std::vector<Value>& row) {
  bool first = true;
  for (std::size_t i = 0; i < grid.columns.size(); ++i) {
    if (grid.columns[i].key.empty())
      continue;
    if (!first)
      out += ',';
    first = false;
    append_csv(out, row[i]);
  }
  out += '\n';
}

/// The keys of the warnings, since a row has no place for their sentences:
/// "does_not_fit;nearest_constants".
std::string warning_keys(const Report& report) {
  std::string keys;
  for (const Report::Note& note : report.notes) {
    if (note.key.empty())
      continue;
    if (!keys.empty())
      keys += ';';
    keys += note.key;
  }
  return keys;
}

std::string records_text(const Report& report) {
  std::string header;
  std::string row;
  for (const KeyedValue& keyed : keyed_values(report)) {
    append_csv_text(header, keyed.path);
    append_csv(row, *keyed.value);
    header += ',';
    row += ',';
  }
  row += warning_keys(report);
  return header + "warnings\n" + row + "\n";
}

/// The lines of a formula are a column of their own.
std::string text_block(const Text& text) {
  std::string result = text.key + "\n";
  for (const std::string& line : text.lines) {
    append_csv_text(result, line);
    result += '\n';
  }
  return result;
}

class CsvRows final : public RowStream {
 public:
  CsvRows(Grid shape, std::ostream& out) : shape_(std::move(shape)), out_(out) {
    append_header(line_, shape_);
    out_ << line_;
    for (const std::vector<Value>& values : shape_.rows)
      row(values);
  }

  void row(const std::vector<Value>& values) override {
    line_.clear();
    append_row(line_, shape_, values);
    out_ << line_;
    require_written(out_);
  }

  void finish(const Report&) override { require_written(out_); }
  [[nodiscard]] bool prints_notes() const override { return false; }

 private:
  Grid shape_;
  std::ostream& out_;
  std::string line_;
};

class CsvWriter final : public ReportWriter {
 public:
  void write(const Report& report, std::ostream& out, const WriteOptions&) const override {
    std::string text;
    for (const Block& block : report.blocks) {
      std::string table;
      if (const auto* grid = std::get_if<Grid>(&block); grid != nullptr && grid->for_machines()) {
        append_header(table, *grid);
        for (const std::vector<Value>& row : grid->rows)
          append_row(table, *grid, row);
      } else if (const auto* lines = std::get_if<Text>(&block); lines && !lines->key.empty()) {
        table = text_block(*lines);
      }
      if (!text.empty() && !table.empty())
        text += '\n';
      text += table;
    }
    out << (text.empty() ? records_text(report) : text);
  }

  [[nodiscard]] bool streams() const override { return true; }

  [[nodiscard]] std::unique_ptr<RowStream> stream(Report, Grid shape, std::ostream& out,
                                                  const WriteOptions&) const override {
    return std::make_unique<CsvRows>(std::move(shape), out);
  }
};

ROOFCAST_WRITER("csv", CsvWriter);

}  // namespace
}  // namespace roofcast
