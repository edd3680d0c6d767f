#pragma once

#include "roofcast/input/document.hpp"
#include "roofcast/input/problem_list.hpp"
#include "roofcast/units/parse.hpp"
#include "roofcast/units/quantity.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// Reads the fields of one map. Every read marks its key as known; `finish()` reports the keys that
/// no read asked for, with the nearest known one. Values that are missing or wrong are reported and
/// a harmless default (the low end of the range, "", false, the first choice) is returned, so that
/// one pass finds everything. Numbers and quantities are plain scalars: in quotes they are text.
/// Quantities must be positive and within what could be built. A key without a value is always a
/// problem.
class FieldReader {
 public:
  /// `path` is the dotted path of the map in the file: "memory"; empty at the root.
  FieldReader(const Node& map, ProblemList& problems, std::string path = "");

  // required: a missing key is a problem at the position of the map
  std::string text(std::string_view key);
  std::int64_t count(std::string_view key, std::int64_t low, std::int64_t high);
  bool flag(std::string_view key);
  Bytes bytes(std::string_view key);
  BytesPerSecond bandwidth(std::string_view key);
  std::string choice(std::string_view key, std::span<const std::string_view> allowed);

  // optional: absent gives nullopt or the default; present must be right
  std::optional<std::string> optional_text(std::string_view key);
  std::optional<std::int64_t> optional_count(std::string_view key, std::int64_t low,
                                             std::int64_t high);
  bool flag_or(std::string_view key, bool otherwise);
  std::optional<double> optional_number(std::string_view key, double low, double high);
  std::optional<Bytes> optional_bytes(std::string_view key);
  std::optional<BytesPerSecond> optional_bandwidth(std::string_view key);
  std::optional<FlopsPerSecond> optional_rate(std::string_view key);
  std::optional<Hertz> optional_clock(std::string_view key);
  std::optional<Watts> optional_power(std::string_view key);
  std::optional<std::string> optional_choice(std::string_view key,
                                             std::span<const std::string_view> allowed);
  std::vector<std::string> optional_texts(std::string_view key);  ///< sequence of scalars

  /// The sub-map under `key`, read by `read` with a reader of its own that is finished afterwards.
  /// Returns false when absent (a problem only if `required`).
  bool section(std::string_view key, bool required, const std::function<void(FieldReader&)>& read);

  /// Marks `key` as known and returns its node, or nullptr. For lists of maps and free-form maps.
  const Node* node(std::string_view key);

  [[nodiscard]] bool has(std::string_view key) const;
  /// Where the value of `key` stands, for checks between fields; the map's position when absent.
  [[nodiscard]] SourcePosition where(std::string_view key) const;
  /// Adds `message`, complete as it is, at `where(key)`: problem("kv_heads", "'kv_heads' must
  /// divide ...").
  void problem(std::string_view key, std::string_view message);
  /// "memory.capacity" for key "capacity" in section "memory".
  [[nodiscard]] std::string dotted(std::string_view key) const;

  /// Reports unknown keys. Call it once, after the last read.
  void finish();

 private:
  const Node* find_scalar(std::string_view key, bool required);
  const Node* find_plain(std::string_view key, bool required, std::string_view what);
  std::optional<std::string> read_text(std::string_view key, bool required);
  std::optional<std::int64_t> read_count(std::string_view key, bool required, std::int64_t low,
                                         std::int64_t high);
  std::optional<bool> read_flag(std::string_view key, bool required);
  std::optional<std::string> read_choice(std::string_view key, bool required,
                                         std::span<const std::string_view> allowed);
  template <class Quantity>
  std::optional<Quantity> read_quantity(std::string_view key, bool required,
                                        Parsed<Quantity> (*parse)(std::string_view), Quantity low,
                                        Quantity high);

  const Node& map_;
  ProblemList& problems_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace roofcast
