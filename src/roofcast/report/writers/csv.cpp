// CSV after RFC 4180, but for line feeds alone at the ends of lines, which every reader takes. An
// answer is one table: its rows where it has any; where it is about one thing with many parts (a
// device and its links) a line of key and value for each figure; else one header and one row.
#include "roofcast/report/report_writer.hpp"
#include "roofcast/report/writers/machine_value.hpp"

#include <ostream>
#include <string>
#include <utility>

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

/// The rows that the answer is about: the first grid that is not a detail.
const Grid* main_grid(const Report& report) {
  for (const Block& block : report.blocks) {
    const auto* grid = std::get_if<Grid>(&block);
    if (grid != nullptr && grid->for_machines() && !grid->details)
      return grid;
  }
  return nullptr;
}

std::string grid_text(const Grid& grid) {
  std::string text;
  append_header(text, grid);
  for (const std::vector<Value>& row : grid.rows)
    append_row(text, grid, row);
  return text;
}

void append_line(std::string& out, const std::string& key, const Value& value) {
  append_csv_text(out, key);
  out += ',';
  append_csv(out, value);
  out += '\n';
}

/// "links.0.kind,nvlink": the paths under which the JSON has the members of `block`.
void append_details(std::string& out, const Block& block) {
  if (const auto* text = std::get_if<Text>(&block); text != nullptr && !text->key.empty()) {
    for (std::size_t i = 0; i < text->lines.size(); ++i)
      append_line(out, text->key + "." + std::to_string(i), text->lines[i]);
  }
  const auto* grid = std::get_if<Grid>(&block);
  if (grid == nullptr || !grid->for_machines())
    return;
  for (std::size_t row = 0; row < grid->rows.size(); ++row) {
    for (std::size_t i = 0; i < grid->columns.size(); ++i) {
      if (!grid->columns[i].key.empty()) {
        append_line(out, grid->key + "." + std::to_string(row) + "." + grid->columns[i].key,
                    grid->rows[row][i]);
      }
    }
  }
}

/// Empty where nothing but records is there.
std::string details_text(const Report& report) {
  std::string details;
  for (const Block& block : report.blocks)
    append_details(details, block);
  if (details.empty())
    return "";
  std::string text = "key,value\n";
  for (const KeyedValue& keyed : keyed_values(report))
    append_line(text, keyed.path, *keyed.value);
  return text + details;
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
    if (const Grid* rows = main_grid(report)) {
      out << grid_text(*rows);
      return;
    }
    const std::string details = details_text(report);
    out << (details.empty() ? records_text(report) : details);
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
