#pragma once

#include "roofcast/plan/sweep_columns.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

enum class Comparison { less, less_equal, greater, greater_equal, equal, not_equal };

/// One condition on the rows of a sweep: a column, a comparison and a number (plain SI) or a text.
struct Condition {
  const SweepColumn* column = nullptr;
  Comparison comparison = Comparison::equal;
  double number = 0;
  std::string text;

  /// False where the row has no value in this column, whatever the comparison.
  [[nodiscard]] bool holds(const SweepRow& row) const;
};

/// What a text column of one sweep can hold, so that a misspelt value is an error and not an empty
/// answer.
struct TextValues {
  /// The name that rows show for `wanted` (a name or an alias); nullopt when no row can show it.
  std::function<std::optional<std::string>(const SweepColumn&, std::string_view wanted)> find;
  /// The names that rows can show.
  std::function<std::vector<std::string_view>(const SweepColumn&)> all;
};

/// Reads "tpot_seconds<0.05", "tpot < 50 ms", "total<=80 GiB", "gpu=h100-sxm5-80", "weights!=fp16",
/// "fits", "fits=false". Comparisons: < <= > >= = !=; texts and flags have only the last two. A
/// column named without its unit
/// ("tpot", or as tables head it: "memory", "tok/s") needs one on the right; one named with it
/// ("tpot_seconds") takes a plain number, or a unit too.
/// @throws UsageError  with the whole condition, what is wrong and what would be right
Condition parse_condition(std::string_view text, const TextValues& values);

}  // namespace roofcast
