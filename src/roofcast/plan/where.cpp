#include "roofcast/plan/where.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/units/parse.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace roofcast {
namespace {

constexpr std::array<std::pair<std::string_view, Comparison>, 6> kComparisons = {{
    {"<=", Comparison::less_equal},
    {">=", Comparison::greater_equal},
    {"!=", Comparison::not_equal},
    {"<", Comparison::less},
    {">", Comparison::greater},
    {"=", Comparison::equal},
}};

std::string_view trim(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// "50ms" as "50 ms": a shell makes the blank costly, and a number ends where its unit begins.
std::string with_space(std::string_view value) {
  std::string spaced(value);
  const std::size_t end = spaced.find_first_not_of("0123456789.");
  if (end != std::string::npos && end > 0 && spaced[end] != ' ')
    spaced.insert(end, 1, ' ');
  return spaced;
}

/// One condition while it is read; knows how its messages begin.
class ConditionParser {
 public:
  ConditionParser(std::string_view whole, const TextValues& values)
      : whole_(whole), values_(values) {}

  Condition parse() {
    const std::size_t at = whole_.find_first_of("<>=!");
    name_ = trim(whole_.substr(0, at));
    if (name_.empty())
      fail("names no column; write for example 'tpot < 50 ms'");
    condition_.column = &sweep_column(prefix(), name_);
    if (at == std::string_view::npos)
      return bare();
    std::string_view rest = whole_.substr(at);
    read_comparison(rest);
    value_ = trim(rest);
    if (value_.empty())
      fail("has no value after the comparison");
    read_value();
    return condition_;
  }

 private:
  [[nodiscard]] std::string prefix() const { return "--where " + in_quotes(whole_); }
  [[noreturn]] void fail(const std::string& why) const { throw UsageError(prefix() + ": " + why); }

  /// A flag alone: "fits".
  Condition bare() {
    if (condition_.column->dimension != Dimension::flag) {
      fail("has no comparison; only 'fits' and 'native' stand alone");
    }
    condition_.number = 1.0;
    return condition_;
  }

  void read_comparison(std::string_view& rest) {
    for (const auto& [symbol, comparison] : kComparisons) {
      if (!rest.starts_with(symbol))
        continue;
      rest.remove_prefix(symbol.size());
      if (rest.find_first_of("<>=!") == 0)
        break;
      condition_.comparison = comparison;
      return;
    }
    fail("knows no such comparison; the comparisons are < <= > >= = !=");
  }

  void read_value() {
    switch (condition_.column->dimension) {
      case Dimension::text:
        return read_text();
      case Dimension::flag:
        return read_flag();
      case Dimension::count:
        return read_count();
      case Dimension::bytes:
        return read_quantity(parse_bytes, bytes(1.0), "80 GiB");
      case Dimension::seconds:
        return read_quantity(parse_seconds, seconds(1.0), "50 ms");
      case Dimension::tokens_per_second:
        return read_scaled(" tokens/s", 1.0, "100 or 100 tokens/s");
      case Dimension::share:
        return read_scaled(" %", 0.01, "0.5 or 50 %");
    }
  }

  void require_equality() const {
    if (condition_.comparison == Comparison::equal ||
        condition_.comparison == Comparison::not_equal) {
      return;
    }
    fail(in_quotes(name_) + " has no order; compare it with = or !=");
  }

  void read_text() {
    require_equality();
    const auto known = values_.find(*condition_.column, value_);
    if (!known) {
      const std::vector<std::string_view> all = values_.all(*condition_.column);
      std::string help = did_you_mean(value_, all);
      if (help.empty()) {
        help = "; it can be ";
        for (std::size_t i = 0; i < all.size(); ++i) {
          help.append(i == 0 ? "" : ", ").append(all[i]);
        }
      }
      fail("no row of this sweep has " + std::string(name_) + " " + in_quotes(value_) + help);
    }
    condition_.text = *known;
  }

  void read_flag() {
    require_equality();
    if (value_ != "true" && value_ != "false") {
      fail(in_quotes(value_) + " is neither true nor false");
    }
    condition_.number = value_ == "true" ? 1.0 : 0.0;
  }

  void read_count() {
    const Parsed<std::int64_t> count = parse_count(value_);
    if (!count.ok())
      fail(in_quotes(value_) + " " + count.problem);
    condition_.number = static_cast<double>(count.value);
  }

  /// A number with a unit, or without one where the column's own name states it.
  template <class Quantity>
  void read_quantity(Parsed<Quantity> (*read)(std::string_view), Quantity unit,
                     const char* example) {
    const Parsed<Quantity> with_unit = read(value_);
    if (const Parsed<Quantity> spaced = read(with_space(value_)); spaced.ok()) {
      condition_.number = spaced.value / unit;
      return;
    }
    const Parsed<double> plain = parse_number(value_);
    if (!plain.ok())
      fail(in_quotes(value_) + " " + with_unit.problem);
    if (name_ != condition_.column->key) {
      fail(in_quotes(name_) + " needs a unit, as in " + in_quotes(example) + "; " +
           in_quotes(condition_.column->key) + " takes a plain number");
    }
    condition_.number = plain.value;
  }

  void read_scaled(std::string_view unit, double scale, const char* examples) {
    const std::string spaced = with_space(value_);
    std::string_view number = spaced;
    const bool has_unit = number.ends_with(unit);
    if (has_unit)
      number.remove_suffix(unit.size());
    const Parsed<double> parsed = parse_number(number);
    if (!parsed.ok())
      fail(in_quotes(value_) + " is no such value; write for example " + examples);
    condition_.number = parsed.value * (has_unit ? scale : 1.0);
  }

  std::string_view whole_;
  const TextValues& values_;
  std::string_view name_;
  std::string_view value_;
  Condition condition_;
};

template <class T>
bool compare(Comparison comparison, const T& left, const T& right) {
  switch (comparison) {
    case Comparison::less:
      return left < right;
    case Comparison::less_equal:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greater_equal:
      return left >= right;
    case Comparison::equal:
      return left == right;
    case Comparison::not_equal:
      return left != right;
  }
  return false;
}

}  // namespace

bool Condition::holds(const SweepRow& row) const {
  if (column->is_text()) {
    const std::string_view value = column->text(row);
    return !value.empty() && compare(comparison, value, std::string_view(text));
  }
  const double value = column->number(row);
  return !std::isnan(value) && compare(comparison, value, number);
}

Condition parse_condition(std::string_view text, const TextValues& values) {
  return ConditionParser(text, values).parse();
}

}  // namespace roofcast
