#pragma once

#include "roofcast/plan/sweep_row.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// What a column holds; numbers are plain SI, as in the JSON.
enum class Dimension { text, flag, count, bytes, seconds, tokens_per_second, share };

/// Which end of a column is the good one.
enum class Better { neither, lower, higher };

/// One column of a sweep. `number` gives NaN where a row has no value (a TPOT when output is 1);
/// text columns have `text` instead.
struct SweepColumn {
  std::string_view key;    ///< as in JSON and CSV: "tpot_seconds"
  std::string_view alias;  ///< the key without its unit, for conditions that state one: "tpot"
  std::string_view label;  ///< for people; empty: machines only
  Dimension dimension;
  Better better;
  double (*number)(const SweepRow& row);
  std::string_view (*text)(const SweepRow& row);

  [[nodiscard]] bool is_text() const { return dimension == Dimension::text; }
};

/// All columns in the order of the output.
std::span<const SweepColumn> sweep_columns();

/// By key, alias or the head of its table column, case aside; nullptr when unknown.
const SweepColumn* find_sweep_column(std::string_view name);

/// @throws UsageError  "OPTION: unknown column 'x'; did you mean 'y'?"
const SweepColumn& sweep_column(std::string_view option, std::string_view name);

/// A column to order by: "tpot_seconds" puts the good end first, "-tpot_seconds" the other one.
struct Ordering {
  const SweepColumn* column = nullptr;
  bool ascending = true;

  /// A number that is smaller for the better row; NaN where the row has no value.
  [[nodiscard]] double rank(const SweepRow& row) const {
    return ascending ? column->number(row) : -column->number(row);
  }
};

/// @throws UsageError  unknown column, or one of text, which has no order
Ordering parse_ordering(std::string_view option, std::string_view name);

}  // namespace roofcast
