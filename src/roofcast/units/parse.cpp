#include "roofcast/units/parse.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <system_error>

namespace roofcast {
namespace {

/// One unit as a power of ten times a power of two. Decimal powers are appended to the digits
/// before they are converted, and powers of two are exact, so that every quantity is the double
/// nearest to what was written: "3.35 TB/s" is 3.35e12 and not 3.35 * 1e12.
struct Unit {
  std::string_view symbol;
  int power_of_ten;
  int power_of_two;
};

constexpr Unit kByteUnits[] = {
    {"B", 0, 0},    {"kB", 3, 0},   {"MB", 6, 0},   {"GB", 9, 0},   {"TB", 12, 0},
    {"PB", 15, 0},  {"EB", 18, 0},  {"KiB", 0, 10}, {"MiB", 0, 20}, {"GiB", 0, 30},
    {"TiB", 0, 40}, {"PiB", 0, 50}, {"EiB", 0, 60},
};

// A small b is a bit: 2^-3 bytes.
constexpr Unit kByteRateUnits[] = {
    {"B/s", 0, 0},    {"kB/s", 3, 0},  {"MB/s", 6, 0},   {"GB/s", 9, 0},   {"TB/s", 12, 0},
    {"PB/s", 15, 0},  {"EB/s", 18, 0}, {"KiB/s", 0, 10}, {"MiB/s", 0, 20}, {"GiB/s", 0, 30},
    {"TiB/s", 0, 40}, {"Mb/s", 6, -3}, {"Gb/s", 9, -3},  {"Tb/s", 12, -3},
};

constexpr Unit kFlopRateUnits[] = {
    {"FLOP/s", 0, 0},   {"kFLOP/s", 3, 0},  {"MFLOP/s", 6, 0},  {"GFLOP/s", 9, 0},
    {"TFLOP/s", 12, 0}, {"PFLOP/s", 15, 0}, {"EFLOP/s", 18, 0}, {"OP/s", 0, 0},
    {"GOP/s", 9, 0},    {"TOP/s", 12, 0},   {"POP/s", 15, 0},
};

constexpr Unit kSecondUnits[] = {
    {"s", 0, 0}, {"ms", -3, 0}, {"us", -6, 0}, {"ns", -9, 0}, {"ps", -12, 0},
};

constexpr Unit kWattUnits[] = {{"W", 0, 0}, {"mW", -3, 0}, {"kW", 3, 0}, {"MW", 6, 0}};

constexpr Unit kHertzUnits[] = {{"Hz", 0, 0}, {"kHz", 3, 0}, {"MHz", 6, 0}, {"GHz", 9, 0}};

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  return static_cast<std::size_t>(end - text.begin());
}

/// The pieces of a number as written: "3.35" and the exponent 0; "1e-5" gives "1" and -5.
struct Number {
  std::string_view mantissa;
  int exponent = 0;
  std::size_t length = 0;  ///< characters of the text that belong to it
  std::string problem;
};

Number no_number(std::string problem) {
  return {{}, 0, 0, std::move(problem)};
}

/// Reads the optional "e-5" that follows a mantissa of `number.length` characters.
void scan_exponent(std::string_view text, Number& number) {
  std::string_view rest = text.substr(number.length);
  if (rest.empty() || (rest.front() != 'e' && rest.front() != 'E'))
    return;
  rest.remove_prefix(1);
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative || (!rest.empty() && rest.front() == '+'))
    rest.remove_prefix(1);
  const std::size_t digits = count_digits(rest);
  if (digits == 0)
    return;  // "5EB": the E belongs to the unit
  if (digits > 4) {
    number = no_number("is out of range");
    return;
  }
  int exponent = 0;
  std::from_chars(rest.data(), rest.data() + digits, exponent);
  number.exponent = negative ? -exponent : exponent;
  number.length = text.size() - rest.size() + digits;
}

/// Our own grammar, stricter than std::from_chars: digits, perhaps a point and digits, perhaps an
/// exponent. No sign, no "inf" or "nan", no "0x", no ".5" or "5.", no leading zero.
Number scan_number(std::string_view text) {
  if (text.empty())
    return no_number("is empty");
  if (text.front() == '-')
    return no_number("must not be negative");
  const std::size_t whole = count_digits(text);
  if (whole == 0)
    return no_number("is not a decimal number");
  if (whole > 1 && text.front() == '0')
    return no_number("must not start with a zero");
  Number number{text.substr(0, whole), 0, whole, {}};
  if (whole < text.size() && text[whole] == '.') {
    const std::size_t fraction = count_digits(text.substr(whole + 1));
    if (fraction == 0)
      return no_number("needs a digit after its point");
    number.length = whole + 1 + fraction;
    number.mantissa = text.substr(0, number.length);
  }
  scan_exponent(text, number);
  return number;
}

/// The double nearest to mantissa x 10^exponent; a problem when that is infinite or falls to zero.
Parsed<double> convert(std::string_view mantissa, int exponent) {
  const std::string text = std::string(mantissa) + 'e' + std::to_string(exponent);
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || !std::isfinite(value))
    return {0.0, "is out of range"};
  return {value, {}};
}

std::string list(std::span<const Unit> units) {
  std::string text;
  for (const Unit& unit : units) {
    if (!text.empty())
      text += ", ";
    text += unit.symbol;
  }
  return text;
}

Parsed<double> parse_with_units(std::string_view text, std::span<const Unit> units) {
  const Number number = scan_number(text);
  if (!number.problem.empty())
    return {0.0, number.problem};
  std::string_view symbol = text.substr(number.length);
  if (symbol.empty())
    return {0.0, "has no unit; use one of " + list(units)};
  if (symbol.front() != ' ') {
    const bool glued = (symbol.front() >= 'A' && symbol.front() <= 'Z') ||
                       (symbol.front() >= 'a' && symbol.front() <= 'z');
    return {0.0, glued && symbol.front() != 'x' ? "needs one space between number and unit"
                                                : "is not a decimal number"};
  }
  symbol.remove_prefix(1);
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& known) { return known.symbol == symbol; });
  if (unit == units.end())
    return {0.0, "has an unknown unit; use one of " + list(units)};
  Parsed<double> value = convert(number.mantissa, number.exponent + unit->power_of_ten);
  if (!value.ok())
    return value;
  value.value = std::ldexp(value.value, unit->power_of_two);
  if (!std::isfinite(value.value))
    return {0.0, "is out of range"};
  return value;
}

template <class Quantity>
Parsed<Quantity> with_unit(const Parsed<double>& number) {
  return {Quantity::from_value(number.value), number.problem};
}

}  // namespace

Parsed<Bytes> parse_bytes(std::string_view text) {
  Parsed<double> number = parse_with_units(text, kByteUnits);
  number.value = std::round(number.value);
  return with_unit<Bytes>(number);
}

Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text) {
  return with_unit<BytesPerSecond>(parse_with_units(text, kByteRateUnits));
}

Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text) {
  return with_unit<FlopsPerSecond>(parse_with_units(text, kFlopRateUnits));
}

Parsed<Seconds> parse_seconds(std::string_view text) {
  return with_unit<Seconds>(parse_with_units(text, kSecondUnits));
}

Parsed<Watts> parse_watts(std::string_view text) {
  return with_unit<Watts>(parse_with_units(text, kWattUnits));
}

Parsed<Hertz> parse_hertz(std::string_view text) {
  return with_unit<Hertz>(parse_with_units(text, kHertzUnits));
}

Parsed<std::int64_t> parse_count(std::string_view text) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 53;
  if (text.empty())
    return {0, "is empty"};
  if (text.front() == '-')
    return {0, "must not be negative"};
  if (count_digits(text) != text.size())
    return {0, "must be a whole number in plain digits"};
  if (text.size() > 1 && text.front() == '0')
    return {0, "must not start with a zero"};
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || value > kLargest)
    return {0, "must be at most 2^53"};
  return {value, {}};
}

Parsed<double> parse_number(std::string_view text) {
  const Number number = scan_number(text);
  if (!number.problem.empty())
    return {0.0, number.problem};
  if (number.length != text.size())
    return {0.0, "is not a decimal number"};
  return convert(number.mantissa, number.exponent);
}

}  // namespace roofcast
