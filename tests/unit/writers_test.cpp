#include "roofcast/base/error.hpp"
#include "roofcast/report/report_writer.hpp"
#include "roofcast/report/writers/grid_cells.hpp"
#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/report/writers/key_tree.hpp"
#include "roofcast/report/writers/machine_value.hpp"
#include "roofcast/report/writers/text_layout.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <utility>

#include "support/sample_report.hpp"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace roofcast {
namespace {

using Json = nlohmann::json;

std::string json_of(const Value& value) {
  std::string text;
  append_json(text, value);
  return text;
}

std::string csv_of(const Value& value) {
  std::string text;
  append_csv(text, value);
  return text;
}

std::string written(std::string_view format, const Report& report,
                    const WriteOptions& options = {}) {
  std::ostringstream out;
  (*ReportWriters::instance().find(format))->write(report, out, options);
  return out.str();
}

std::string streamed(std::string_view format, const Report& head, const Grid& grid,
                     const Report& tail) {
  std::ostringstream out;
  Grid shape = grid;
  shape.rows.clear();
  const auto rows = (*ReportWriters::instance().find(format))->stream(head, shape, out, {});
  for (const std::vector<Value>& row : grid.rows)
    rows->row(row);
  rows->finish(tail);
  return out.str();
}

using Table = std::vector<std::vector<std::string>>;

/// A reader of RFC 4180 that takes one table: every line has as many cells as the first.
Table csv_table(const Report& report) {
  const std::string text = written("csv", report);
  Table table(1);
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      cell += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '\n')) {
      table.back().push_back(std::exchange(cell, ""));
      if (c == '\n')
        table.emplace_back();
    } else {
      cell += c;
    }
  }
  REQUIRE_FALSE(quoted);
  REQUIRE(table.back().empty());  // the text ends with its last line
  table.pop_back();
  for (const std::vector<std::string>& row : table)
    CHECK(row.size() == table.front().size());
  return table;
}

Grid small_grid() {
  return {.columns = {{.key = "name", .label = "name", .left = true},
                      {.key = "seconds", .label = "time"}},
          .rows = {{std::string("a"), seconds(0.25)}, {std::string("b"), Value{}}}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("writers: exactly these formats are registered") {
  // A registrar that the linker dropped would vanish without a word.
  const std::vector<std::string_view> want = {"csv", "json", "md", "table"};
  CHECK(ReportWriters::instance().names() == want);
  CHECK(ReportWriters::instance().duplicates().empty());
}

TEST_CASE("machine values: SI numbers, integral ones without a fraction") {
  CHECK(json_of(Bytes(bytes(13476831232.0))) == "13476831232");
  CHECK(json_of(flops(27.6e12)) == "27600000000000");
  CHECK(json_of(seconds(0.1)) == "0.1");
  CHECK(json_of(seconds(1.0)) == "1");
  CHECK(json_of(-0.0) == "0");
  CHECK(json_of(Share{0.125}) == "0.125");
  CHECK(json_of(Capacity{bytes(1024.0)}) == "1024");
  CHECK(json_of(std::int64_t{-7}) == "-7");
  CHECK(json_of(true) == "true");
  CHECK(json_of(Value{}) == "null");
  CHECK(csv_of(Value{}).empty());
}

TEST_CASE("machine values: every double reads back as itself") {
  for (const double number : {1.0 / 3.0, 7.0080490435017163e-3, 6.02214076e23, 5e-324,
                              1.7976931348623157e308, 9007199254740993.0, 0.1 + 0.2}) {
    CHECK(Json::parse(json_of(number)).get<double>() == number);
    CHECK(std::strtod(csv_of(number).c_str(), nullptr) == number);
  }
}

TEST_CASE("machine values: what is not finite is a mistake of ours, never a null") {
  CHECK_THROWS_AS(json_of(std::numeric_limits<double>::infinity()), InternalError);
  CHECK_THROWS_AS(json_of(seconds(std::numeric_limits<double>::quiet_NaN())), InternalError);
  CHECK_THROWS_AS(csv_of(-std::numeric_limits<double>::infinity()), InternalError);
}

TEST_CASE("machine values: text is escaped") {
  CHECK(json_of(std::string("a\"b\\c\n")) == R"("a\"b\\c\n")");
  // Every character that one byte can be, and some that take more, come back as they were.
  std::string all = "\u00b7\u2264\u00d7\u2588";
  for (char c = 1; c < 127; ++c)
    all += c;
  CHECK(Json::parse(json_of(all)).get<std::string>() == all);
  // RFC 4180: quotes around cells with commas, quotes or line ends; quotes are doubled.
  CHECK(csv_of(std::string("plain text")) == "plain text");
  CHECK(csv_of(std::string("a,b")) == "\"a,b\"");
  CHECK(csv_of(std::string("say \"x\"")) == "\"say \"\"x\"\"\"");
  CHECK(csv_of(std::string("two\nlines")) == "\"two\nlines\"");
}

TEST_CASE("machine values: bytes that are no UTF-8 do not break the JSON") {
  CHECK(Json::parse(json_of(std::string("file\xff.yaml"))).get<std::string>() == "file\ufffd.yaml");
  CHECK(Json::accept(json_of(std::string("cut \xe2\x82"))));
}

TEST_CASE("key tree: dotted keys nest, also when their order is mixed") {
  const KeyTree tree({"a.x", "b", "a.y", ""});
  const Value one = std::int64_t{1};
  const Value two = std::int64_t{2};
  const Value three = std::int64_t{3};
  std::string text;
  tree.append_compact(text, {&one, &two, &three, &one});
  CHECK(text == R"({"a":{"x":1,"y":3},"b":2})");
}

TEST_CASE("key tree: a key stands once, and is a value or an object") {
  CHECK_THROWS_AS(KeyTree({"a", "a"}), InternalError);
  CHECK_THROWS_AS(KeyTree({"a", "a.b"}), InternalError);
  CHECK_THROWS_AS(KeyTree({"a.b", "a"}), InternalError);
}

TEST_CASE("json: schema and command come first, then records, grids, texts, warnings") {
  const std::string text = written("json", test::sample_report());
  CHECK(text.starts_with("{\n  \"schema\": \"roofcast/1\",\n  \"command\": \"sample\",\n"));
  const Json json = Json::parse(text);
  CHECK(json.at("memory").at("weights_bytes").get<double>() == 13421772800.0);  // 12.5 x 2^30
  CHECK(json.at("memory").at("max_context").is_null());
  CHECK(json.at("model").at("parameters").at("total").get<std::int64_t>() == 6738415616);
  CHECK(json.at("ttft_seconds").get<double>() == 0.118);
  CHECK(json.at("decode").at("steps").get<int>() == 255);
  CHECK(json.at("rows").size() == 3);
  CHECK(json.at("rows").at(1).at("memory").at("share").get<double>() == 0.83);
  CHECK(json.at("lines").size() == 3);
  CHECK(json.at("warnings").at(0).at("key").get<std::string>() == "does_not_fit");
  CHECK(json.at("notes").size() == 1);
}

TEST_CASE("json: rows that come one by one give the same answer") {
  const Report head{.command = "sweep",
                    .blocks = {Record{.fields = {{.key = "a", .value = true}}}}};
  Report tail;
  tail.blocks = {Record{.fields = {{.key = "skipped", .value = std::int64_t{3}}}}};
  tail.notes = {{"note_key", "text"}};
  const Json json = Json::parse(streamed("json", head, small_grid(), tail));
  CHECK(json.at("schema").get<std::string>() == "roofcast/1");
  CHECK(json.at("a").get<bool>());
  CHECK(json.at("rows").size() == 2);
  CHECK(json.at("rows").at(0).at("seconds").get<double>() == 0.25);
  CHECK(json.at("rows").at(1).at("seconds").is_null());
  CHECK(json.at("skipped").get<int>() == 3);
  CHECK(json.at("warnings").size() == 1);
  Grid empty = small_grid();
  empty.rows.clear();
  CHECK(Json::parse(streamed("json", head, empty, {})).at("rows").empty());
}

TEST_CASE("csv: grids are header and rows, records alone are one row of dotted keys") {
  Report report{.command = "x", .blocks = {small_grid()}};
  CHECK(written("csv", report) == "name,seconds\na,0.25\nb,\n");
  CHECK(streamed("csv", {}, small_grid(), {}) == "name,seconds\na,0.25\nb,\n");
  report.blocks = {
      Record{.key = "memory",
             .fields = {{.key = "total_bytes", .value = bytes(5.0)}, {.label = "people only"}}},
      Record{.fields = {{.key = "name", .value = std::string("a,b")}}}};
  report.notes = {{"one", "text"}, {"", "remark"}, {"two", "text"}};
  CHECK(written("csv", report) == "memory.total_bytes,name,warnings\n5,\"a,b\",one;two\n");
}

TEST_CASE("csv: one table, whatever an answer is made of") {
  const Record name{.fields = {{.key = "name", .value = std::string("a, \"b\"")}}};
  Grid links = small_grid();
  links.key = "links";
  links.details = true;
  const Text lines{.key = "lines", .lines = {"T = max(W, B)", "  = 1"}};
  // Rows that the answer is about stand alone.
  CHECK(csv_table({.command = "x", .blocks = {name, small_grid(), links, lines}}) ==
        Table{{"name", "seconds"}, {"a", "0.25"}, {"b", ""}});
  // One thing with parts is a line for each figure.
  CHECK(csv_table({.command = "x", .blocks = {name, links, lines}}) ==
        Table{{"key", "value"},
              {"name", "a, \"b\""},
              {"links.0.name", "a"},
              {"links.0.seconds", "0.25"},
              {"links.1.name", "b"},
              {"links.1.seconds", ""},
              {"lines.0", "T = max(W, B)"},
              {"lines.1", "  = 1"}});
  CHECK(csv_table({.command = "x", .blocks = {name}}) ==
        Table{{"name", "warnings"}, {"a, \"b\"", ""}});
}

TEST_CASE("machine values: a list is an array, and one cell of CSV") {
  const Value names = TextList{"a", "b \"c\""};
  CHECK(json_of(names) == "[\"a\",\"b \\\"c\\\"\"]");
  CHECK(json_of(TextList{}) == "[]");
  CHECK(csv_of(TextList{"a", "b,c"}) == "\"a;b,c\"");
  CHECK(human(names) == "a, b \"c\"");
}

TEST_CASE("grid cells: one giant does not take the unit of a column that has its own") {
  Grid grid{.columns = {{.key = "b", .label = "bandwidth", .unit = "TB/s"}},
            .rows = {{bytes(3.35e12) / seconds(1.0)}, {bytes(2.1e16) / seconds(1.0)}}};
  const TextColumn column = text_columns(grid, false).front();
  CHECK(column.unit.text == "TB/s");
  CHECK(column.cells == std::vector<std::string>{"3.35", "21,000"});
}

TEST_CASE("table: what must not be missed comes before every figure, in red") {
  Report report{.command = "x", .heading = "a question", .alert = "DOES NOT FIT: 2 of 1"};
  report.blocks = {Grid{.columns = {{.key = "fits", .label = "fits", .no_is_bad = true},
                                    {.key = "gated", .label = "gated"}},
                        .rows = {{false, false}, {true, true}}}};
  CHECK(written("table", report).starts_with("a question\n\nDOES NOT FIT: 2 of 1\n\n"));
  const std::string coloured = written("table", report, {.width = 80, .colour = true});
  CHECK(coloured.find("\x1b[1;31mDOES NOT FIT: 2 of 1\x1b[0m") != std::string::npos);
  // Only the column whose "no" is bad news.
  CHECK(coloured.find("  \x1b[1;31mno\x1b[0m     no\n") != std::string::npos);
  CHECK(written("md", report).find("**DOES NOT FIT: 2 of 1**") != std::string::npos);
}

TEST_CASE("streams: a reader that left ends the rows") {
  struct Closed final : std::streambuf {
    int overflow(int) override { return traits_type::eof(); }
  } closed;
  for (const std::string_view format : {"csv", "json"}) {
    std::ostream out(&closed);
    const ReportWriter& writer = **ReportWriters::instance().find(format);
    CHECK_THROWS_AS(
        [&] {
          const auto rows = writer.stream({}, small_grid(), out, {});
          rows->row({std::string("a"), seconds(1.0)});
        }(),
        OutputError);
  }
}

TEST_CASE("grid cells: decimal points stand below each other") {
  std::vector<std::string> cells = {"7.01", "12.3", "1,250", "-", "<0.01"};
  align_decimals(cells);
  CHECK(cells == std::vector<std::string>{"7.01", "12.3 ", "1,250   ", "-", "<0.01"});
}

TEST_CASE("table: no line is wider than asked, whatever the width") {
  for (const int width : {40, 60, 80, 120, 200}) {
    for (const std::string& line :
         lines_of(written("table", test::sample_report(), {.width = width}))) {
      INFO(line);
      CHECK(text_width(line) <= static_cast<std::size_t>(width));
      CHECK((line.empty() || line.back() != ' '));
    }
  }
}

TEST_CASE("table: colours only when asked, and the same text without them") {
  const std::string plain = written("table", test::sample_report());
  std::string coloured = written("table", test::sample_report(), {.width = 80, .colour = true});
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(coloured.find('\x1b') != std::string::npos);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos;
       at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == plain);
}

TEST_CASE("table: what only wide tables show goes before anything else") {
  Grid grid{.columns = {{.key = "a", .label = "first", .left = true},
                        {.key = "b", .label = "extra", .left = true, .wide_only = true},
                        {.key = "c", .label = "last", .left = true}},
            .rows = {{std::string(50, 'x'), std::string(70, 'y'), std::string("z")}}};
  const auto text = [&](int width) {
    return written("table", {.command = "x", .blocks = {grid}}, {.width = width});
  };
  // 2 + 50 + 2 + 70 + 2 + 4 columns = 130
  CHECK(text(130).find("extra") != std::string::npos);
  CHECK(text(125).find("extra") == std::string::npos);
  CHECK(text(125).find("last") != std::string::npos);
  CHECK(text(125).find("not shown") == std::string::npos);
}

TEST_CASE("table: columns without room are named, not dropped in silence") {
  Grid grid{.columns = {{.key = "a", .label = "first", .left = true}},
            .rows = {{std::string("x")}}};
  for (int i = 0; i < 12; ++i) {
    grid.columns.push_back({.key = "k" + std::to_string(i), .label = "column" + std::to_string(i)});
    grid.rows.front().emplace_back(std::int64_t{i});
  }
  const std::string text = written("table", {.command = "x", .blocks = {grid}}, {.width = 60});
  CHECK(text.find("not shown for want of room:") != std::string::npos);
  CHECK(text.find("column11") != std::string::npos);
}

}  // namespace roofcast
