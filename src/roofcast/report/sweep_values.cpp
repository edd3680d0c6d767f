#include "roofcast/report/sweep_values.hpp"

#include "roofcast/base/error.hpp"

#include <cmath>
#include <string_view>

namespace roofcast {

Value sweep_value(const SweepColumn& column, const SweepRow& row) {
  if (column.is_text()) {
    const std::string_view text = column.text(row);
    return text.empty() ? Value{} : Value{std::string(text)};
  }
  const double number = column.number(row);
  if (std::isnan(number))
    return {};
  switch (column.dimension) {
    case Dimension::flag:
      return number != 0.0;
    case Dimension::count:
      return static_cast<std::int64_t>(number);
    case Dimension::bytes:
      return Capacity{bytes(number)};
    case Dimension::seconds:
      return seconds(number);
    case Dimension::tokens_per_second:
      return TokensPerSecond(tokens(number) / seconds(1.0));
    case Dimension::share:
      return Share{number};
    case Dimension::text:
      break;
  }
  throw InternalError("a column of text that has a number");
}

namespace {

/// Times and rates are what rows are looked up for.
bool is_secondary(std::string_view key) {
  return key == "total_bytes" || key == "fits" || key == "max_batch" || key.ends_with("limited_by");
}

}  // namespace

Column report_column(const SweepColumn& column) {
  return {.key = std::string(column.key),
          .label = std::string(column.label),
          .left = column.is_text(),
          .no_is_bad = column.key == "fits",
          .secondary = is_secondary(column.key)};
}

}  // namespace roofcast
