// JSON: one object, `schema` first. Members stand one to a line, rows of a grid one row to a line.
#include "roofcast/report/report_writer.hpp"
#include "roofcast/report/writers/key_tree.hpp"
#include "roofcast/report/writers/machine_value.hpp"

#include <ostream>

namespace roofcast {
namespace {

constexpr std::string_view kSchema = "roofcast/1";

std::string json_text(std::string_view text) {
  std::string result;
  append_json_text(result, text);
  return result;
}

KeyTree tree_of(const Grid& grid) {
  std::vector<std::string> keys;
  for (const Column& column : grid.columns)
    keys.push_back(column.key);
  return KeyTree(keys);
}

std::vector<const Value*> pointers_to(const std::vector<Value>& row) {
  std::vector<const Value*> pointers;
  pointers.reserve(row.size());
  for (const Value& value : row)
    pointers.push_back(&value);
  return pointers;
}

std::string records_text(const Report& report) {
  std::vector<std::string> paths;
  std::vector<const Value*> values;
  for (KeyedValue& keyed : keyed_values(report)) {
    paths.push_back(std::move(keyed.path));
    values.push_back(keyed.value);
  }
  std::string text;
  if (!paths.empty()) {
    text += ",\n";
    KeyTree(paths).append_lines(text, values, 2);
  }
  return text;
}

void append_list(std::string& out, std::string_view key, const std::vector<std::string>& items) {
  out += ",\n  " + json_text(key) + ": [";
  for (const std::string& item : items) {
    if (&item != &items.front())
      out += ',';
    out += "\n    " + item;
  }
  out += items.empty() ? "]" : "\n  ]";
}

void append_blocks(std::string& out, const Report& report) {
  for (const Block& block : report.blocks) {
    std::vector<std::string> items;
    if (const auto* grid = std::get_if<Grid>(&block)) {
      if (!grid->for_machines())
        continue;
      const KeyTree tree = tree_of(*grid);
      for (const std::vector<Value>& row : grid->rows) {
        tree.append_compact(items.emplace_back(), pointers_to(row));
      }
      append_list(out, grid->key, items);
    } else if (const auto* text = std::get_if<Text>(&block); text && !text->key.empty()) {
      for (const std::string& line : text->lines)
        items.push_back(json_text(line));
      append_list(out, text->key, items);
    }
  }
}

/// Warnings have a name that programs can look for; plain remarks are a list of their own.
void append_notes(std::string& out, const Report& report) {
  std::vector<std::string> warnings;
  std::vector<std::string> remarks;
  for (const Report::Note& note : report.notes) {
    if (note.key.empty()) {
      remarks.push_back(json_text(note.message));
    } else {
      warnings.push_back("{\"key\":" + json_text(note.key) +
                         ",\"message\":" + json_text(note.message) + "}");
    }
  }
  append_list(out, "warnings", warnings);
  if (!remarks.empty())
    append_list(out, "notes", remarks);
}

std::string opening(const Report& report) {
  return "{\n  \"schema\": " + json_text(kSchema) +
         ",\n  \"command\": " + json_text(report.command) + records_text(report);
}

/// Writes each row as it comes.
class JsonRows final : public RowStream {
 public:
  JsonRows(const Report& head, const Grid& shape, std::ostream& out)
      : tree_(tree_of(shape)), out_(out) {
    std::string text = opening(head);
    append_blocks(text, head);
    out_ << text << ",\n  " << json_text(shape.key) << ": [";
    for (const std::vector<Value>& values : shape.rows)
      row(values);
  }

  void row(const std::vector<Value>& values) override {
    line_.assign(any_ ? ",\n    " : "\n    ");
    any_ = true;
    pointers_.clear();
    for (const Value& value : values)
      pointers_.push_back(&value);
    tree_.append_compact(line_, pointers_);
    out_ << line_;
    require_written(out_);
  }

  void finish(const Report& tail) override {
    std::string text = any_ ? "\n  ]" : "]";
    text += records_text(tail);
    append_blocks(text, tail);
    append_notes(text, tail);
    out_ << text << "\n}\n";
    require_written(out_);
  }

 private:
  KeyTree tree_;
  std::ostream& out_;
  bool any_ = false;
  std::string line_;
  std::vector<const Value*> pointers_;
};

class JsonWriter final : public ReportWriter {
 public:
  void write(const Report& report, std::ostream& out, const WriteOptions&) const override {
    std::string text = opening(report);
    append_blocks(text, report);
    append_notes(text, report);
    out << text << "\n}\n";
  }

  [[nodiscard]] bool streams() const override { return true; }

  [[nodiscard]] std::unique_ptr<RowStream> stream(Report head, Grid shape, std::ostream& out,
                                                  const WriteOptions&) const override {
    return std::make_unique<JsonRows>(head, shape, out);
  }
};

ROOFCAST_WRITER("json", JsonWriter);

}  // namespace
}  // namespace roofcast
