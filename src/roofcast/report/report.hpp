#pragma once

#include "roofcast/units/quantity.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a command answers, before anyone decides how it looks. Every writer renders the same
/// Report, so the table and the JSON cannot disagree.
namespace roofcast {

struct Share {
  double value = 0;  ///< 0.83 is 83 %
};

/// Memory that is held or free: tables print it with binary prefixes, as drivers and engines do.
struct Capacity {
  Bytes value{};
};

/// Names of the same thing: machines get a list.
using TextList = std::vector<std::string>;

/// The type carries the unit. JSON and CSV print plain SI numbers, tables print prefixes.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Bytes, Seconds,
                           Flops, FlopsPerByte, BytesPerToken, TokensPerSecond, BytesPerSecond,
                           FlopsPerSecond, Watts, Hertz, Share, Capacity, TextList>;

template <class T>
Value value_or_null(const std::optional<T>& maybe) {
  return maybe ? Value{*maybe} : Value{};
}

/// One fact: `key` for machines ("weights_bytes"), `label` for people ("weights"). A field without
/// a key is for people alone, one without a label for machines alone.
struct Field {
  std::string key = {};
  std::string label = {};  ///< empty: machines only
  Value value = {};
  std::string note = {};  ///< short remark beside the value in tables: "83 % of the time"
  std::optional<double> share = {};  ///< of a whole, in [0, 1]: tables add a percentage and a bar
};

/// A JSON object of its own; fields of the record with an empty key stand at the top level.
/// Consecutive records with the same `group` are printed side by side under it, a column each and
/// without their notes, since their keys agree.
struct Record {
  std::string key = {};  ///< dotted for nesting: "model.parameters"
  std::string title = {};
  std::vector<Field> fields = {};
  std::string group = {};
  bool machine_only = false;
  bool headline = false;  ///< the figures that the question was about: printed large, in one line
};

struct Column {
  std::string key = {};
  std::string label = {};  ///< empty: machines only
  bool left = false;       ///< text columns align left
  bool wide_only = false;  ///< left out of tables narrower than 120 columns
  /// "TB/s": for people, whatever the sizes; also stands above text that holds such numbers. Empty:
  /// what suits the cells.
  std::string unit = {};
  bool no_is_bad = false;  ///< a "no" stands out
  bool secondary = false;  ///< where room is short it goes before the others
};

/// An array of objects in JSON, a table for people. A grid without a key is for people alone, one
/// whose columns have no labels for machines alone.
struct Grid {
  std::string key = "rows";
  std::string title = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<Value>> rows = {};
  /// For people a line per column and a column per row, since the rows are few candidates with
  /// many quantities each; the first column gives the heads. Machines get the rows as they are.
  bool transposed = false;
  /// Parts of the one thing that the answer is about (the links of a device), not its main rows.
  /// CSV, which holds one table, has them as lines of keys and values.
  bool details = false;

  [[nodiscard]] bool for_machines() const { return !key.empty(); }
  [[nodiscard]] bool for_people() const {
    return std::any_of(columns.begin(), columns.end(),
                       [](const Column& column) { return !column.label.empty(); });
  }
};

/// Free text for people that machines get as a list of strings, or not at all without a key:
/// formulas of `explain`.
struct Text {
  std::string key = {};
  std::string title = {};
  std::vector<std::string> lines = {};
};

using Block = std::variant<Record, Grid, Text>;

struct Report {
  std::string command = {};
  std::string heading = {};  ///< first line of the table: what was asked
  std::vector<std::string> subheading = {};
  std::string alert = {};  ///< what a person must not miss, before anything else is answered
  std::vector<Block> blocks = {};
  struct Note {
    std::string key;  ///< machine name of a warning; empty for a plain remark
    std::string message;
  };
  std::vector<Note> notes = {};             ///< warnings and remarks, after the blocks
  std::optional<std::string> verdict = {};  ///< the last line: "fits; decode is limited by memory"
};

}  // namespace roofcast
