#include "roofcast/units/format.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// A number as its first three decimal digits: 100 <= digits <= 999, value = digits x 10^(power -
/// 2). Taken from the correctly rounded "{:.2e}", so that 999.95 is 1.00 x 10^3 and never "1000".
struct Rounded {
  std::string digits;  ///< three characters
  int power = 0;
};

Rounded round_to_three(double magnitude) {
  const std::string text = fmt::format("{:.2e}", magnitude);  // "1.35e+10"
  const std::string_view exponent = std::string_view(text).substr(text[5] == '+' ? 6 : 5);
  int power = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  return {{text[0], text[2], text[3]}, power};
}

/// The number that a text of ours shows. Not atof, which obeys the locale.
double shown(std::string_view text) {
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The three digits with the point after the digit of 10^0 when the number is written in units of
/// 10^scale: "13.5", "1350", "0.00135".
std::string place_point(const Rounded& rounded, int scale) {
  const int whole_digits = rounded.power - scale + 1;
  if (whole_digits <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-whole_digits), '0') + rounded.digits;
  }
  if (whole_digits >= 3) {
    return rounded.digits + std::string(static_cast<std::size_t>(whole_digits - 3), '0');
  }
  return fmt::format("{}.{}", rounded.digits.substr(0, static_cast<std::size_t>(whole_digits)),
                     rounded.digits.substr(static_cast<std::size_t>(whole_digits)));
}

/// "1.35e+27" in units of 10^scale, for what no prefix can hold.
std::string exponent_form(const Rounded& rounded, int scale) {
  return fmt::format("{}.{}e{:+}", rounded.digits[0], rounded.digits.substr(1),
                     rounded.power - scale);
}

struct Prefix {
  std::string_view symbol;
  int power;
};

constexpr Prefix kLargePrefixes[] = {{"", 0},   {"k", 3},  {"M", 6}, {"G", 9},
                                     {"T", 12}, {"P", 15}, {"E", 18}};
constexpr Prefix kHertzPrefixes[] = {{"", 0}, {"k", 3}, {"M", 6}, {"G", 9}};
constexpr Prefix kTimePrefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"m", -3}, {"", 0}};
constexpr Prefix kPowerPrefixes[] = {{"m", -3}, {"", 0}, {"k", 3}, {"M", 6}};

// Beyond the prefixes a number is written out up to 999,000 and down to 0.001, then with an
// exponent.
constexpr int kDigitsWithoutExponent = 6;

std::string with_sign(double value, const std::string& magnitude) {
  return value < 0.0 ? "-" + magnitude : magnitude;
}

std::string not_finite(double value, std::string_view unit) {
  return fmt::format("{} {}", std::isnan(value) ? "nan" : (value < 0.0 ? "-inf" : "inf"), unit);
}

/// The largest prefix that is not above the number; the smallest one for numbers below them all.
const Prefix& choose_prefix(std::span<const Prefix> prefixes, int power) {
  const Prefix* chosen = &prefixes.front();
  for (const Prefix& prefix : prefixes) {
    if (prefix.power <= power)
      chosen = &prefix;
  }
  return *chosen;
}

std::string format_decimal(double value, std::string_view unit, std::span<const Prefix> prefixes) {
  if (!std::isfinite(value))
    return not_finite(value, unit);
  if (value == 0.0)
    return fmt::format("0 {}", unit);
  const Rounded rounded = round_to_three(std::fabs(value));
  const Prefix& prefix = choose_prefix(prefixes, rounded.power);
  const int relative = rounded.power - prefix.power;
  const bool fits = relative < kDigitsWithoutExponent && relative >= -3;
  const std::string number =
      fits ? place_point(rounded, prefix.power) : exponent_form(rounded, prefix.power);
  return fmt::format("{} {}{}", with_sign(value, number), prefix.symbol, unit);
}

bool is_small_whole(double value, double limit) {
  return std::fabs(value) < limit && value == std::trunc(value);
}

std::string whole(double value, std::string_view unit) {
  return fmt::format("{:.0f} {}", value == 0.0 ? 0.0 : value, unit);
}

constexpr std::string_view kBinaryPrefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

/// Prints in the first binary prefix under which `print` stays below 1024; `print` rounds, so the
/// number is read back from its text: 1023.9999 KiB is 1.00 MiB.
template <class Print>
std::string format_with_binary_prefix(double value, std::string_view unit, Print print) {
  double scaled = std::fabs(value);
  std::string text = print(scaled);
  std::size_t prefix = 0;
  while (shown(text) >= 1024.0 && prefix + 1 < std::size(kBinaryPrefixes)) {
    scaled /= 1024.0;
    ++prefix;
    text = print(scaled);
  }
  return fmt::format("{} {}{}", with_sign(value, text), kBinaryPrefixes[prefix], unit);
}

/// Three significant digits; the whole number from 1000 to 1023, where three would drop a digit.
std::string three_digits(double magnitude) {
  const Rounded rounded = round_to_three(magnitude);
  if (rounded.power >= 3)
    return fmt::format("{:.0f}", magnitude);
  return rounded.power < -3 ? exponent_form(rounded, 0) : place_point(rounded, 0);
}

std::string grouped(std::string digits) {
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace

std::string format(Bytes value) {
  if (is_small_whole(value.value(), 1000.0))
    return whole(value.value(), "B");
  return format_decimal(value.value(), "B", kLargePrefixes);
}

std::string format(Flops value) {
  return format_decimal(value.value(), "FLOP", kLargePrefixes);
}

std::string format(Seconds value) {
  return format_decimal(value.value(), "s", kTimePrefixes);
}

std::string format(BytesPerSecond value) {
  return format_decimal(value.value(), "B/s", kLargePrefixes);
}

std::string format(FlopsPerSecond value) {
  return format_decimal(value.value(), "FLOP/s", kLargePrefixes);
}

std::string format(FlopsPerByte value) {
  constexpr Prefix kNone[] = {{"", 0}};
  return format_decimal(value.value(), "FLOP/B", kNone);
}

std::string format(TokensPerSecond value) {
  constexpr Prefix kNone[] = {{"", 0}};
  const double rate = value.value();
  // Rates of a loaded device run to tens of thousands; whole numbers read better than "ktokens/s".
  if (std::isfinite(rate) && std::fabs(rate) >= 999.5 && std::fabs(rate) < 1e15) {
    return fmt::format("{} tokens/s",
                       with_sign(rate, grouped(fmt::format("{:.0f}", std::fabs(rate)))));
  }
  return format_decimal(rate, "tokens/s", kNone);
}

std::string format(Watts value) {
  return format_decimal(value.value(), "W", kPowerPrefixes);
}

std::string format(Hertz value) {
  return format_decimal(value.value(), "Hz", kHertzPrefixes);
}

std::string format(BytesPerToken value) {
  const double size = value.value();
  if (!std::isfinite(size))
    return not_finite(size, "B/token");
  if (is_small_whole(size, 1024.0))
    return whole(size, "B/token");
  return format_with_binary_prefix(size, "B/token", three_digits);
}

std::string format_binary(Bytes value) {
  const double size = value.value();
  if (!std::isfinite(size))
    return not_finite(size, "B");
  if (is_small_whole(size, 1024.0))
    return whole(size, "B");
  return format_with_binary_prefix(
      size, "B", [](double magnitude) { return fmt::format("{:.2f}", magnitude); });
}

std::string format_count(std::int64_t value) {
  const std::string text = fmt::format("{}", value);
  return value < 0 ? "-" + grouped(text.substr(1)) : grouped(text);
}

std::string format_percent(double share) {
  if (!std::isfinite(share))
    return not_finite(share, "%");
  if (share == 0.0)
    return "0 %";
  const double percent = std::fabs(share) * 100.0;
  std::string text = fmt::format("{:.1f}", percent);
  if (text.size() > 3)
    text = fmt::format("{:.0f}", percent);  // "10.0" and above
  const bool vanishes = text == "0.0";
  return fmt::format("{} %", vanishes ? text : with_sign(share, text));
}

std::string format_change(Seconds change, Seconds scale) {
  const double reference = std::fabs(scale.value());
  const double size = std::fabs(change.value());
  if (!std::isfinite(size))
    return not_finite(change.value(), "s");
  const bool use_reference = std::isfinite(reference) && reference > 0.0;
  if (!use_reference && size == 0.0)
    return "0 s";
  const Rounded rounded = round_to_three(use_reference ? reference : size);
  const Prefix& prefix = choose_prefix(kTimePrefixes, rounded.power);
  const int decimals = std::clamp(2 - (rounded.power - prefix.power), 0, 2);
  const std::string number = fmt::format("{:.{}f}", size * std::pow(10.0, -prefix.power), decimals);
  if (shown(number) == 0.0)
    return fmt::format("0 {}s", prefix.symbol);
  return fmt::format("{}{} {}s", change.value() < 0.0 ? '-' : '+', number, prefix.symbol);
}

}  // namespace roofcast
