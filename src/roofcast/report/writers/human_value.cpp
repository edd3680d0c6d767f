#include "roofcast/report/writers/human_value.hpp"

#include "roofcast/units/format.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roofcast {
namespace {

/// Numbers without a unit: "4", "4.15625", "12,345".
std::string plain_number(double number) {
  if (std::fabs(number) >= 999.95 && std::fabs(number) < 9e15) {
    return format_count(static_cast<std::int64_t>(std::llround(number)));
  }
  return fmt::format("{:.6g}", number == 0.0 ? 0.0 : number);
}

std::string text_of(std::monostate) {
  return "-";
}
std::string text_of(bool yes) {
  return yes ? "yes" : "no";
}
std::string text_of(std::int64_t count) {
  return format_count(count);
}
std::string text_of(double number) {
  return plain_number(number);
}
std::string text_of(const std::string& text) {
  return text;
}
std::string text_of(const TextList& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}
std::string text_of(Share share) {
  return format_percent(share.value);
}
std::string text_of(const Capacity& capacity) {
  return format_binary(capacity.value);
}
/// Minutes and hours are easier to grasp than thousands of seconds.
std::string text_of(Seconds time) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  const double size = std::fabs(time.value());
  if (!(size >= 10 * kMinute && size < 1e12))
    return format(time);
  const double factor = size < kHour ? kMinute : kHour;
  const double number = time.value() / factor;
  const std::string unit = size < kHour ? " min" : " h";
  if (std::fabs(number) >= 999.95)
    return format_count(std::llround(number)) + unit;
  return fmt::format("{:.1f}", number) + unit;
}
template <class Unit>
std::string text_of(const boost::units::quantity<Unit>& quantity) {
  return format(quantity);
}

template <class Held>
constexpr bool kHasUnit = !std::is_same_v<Held, std::monostate> && !std::is_same_v<Held, bool> &&
                          !std::is_same_v<Held, std::int64_t> && !std::is_same_v<Held, double> &&
                          !std::is_same_v<Held, std::string> && !std::is_same_v<Held, TextList>;

constexpr std::array<std::pair<std::string_view, double>, 17> kPrefixes = {{
    {"Ki", 1024.0},
    {"Mi", 1024.0 * 1024},
    {"Gi", 1024.0 * 1024 * 1024},
    {"Ti", 1024.0 * 1024 * 1024 * 1024},
    {"Pi", 1024.0 * 1024 * 1024 * 1024 * 1024},
    {"Ei", 1024.0 * 1024 * 1024 * 1024 * 1024 * 1024},
    {"p", 1e-12},
    {"n", 1e-9},
    {"u", 1e-6},
    {"m", 1e-3},
    {"k", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"P", 1e15},
    {"E", 1e18},
    {"", 1.0},
}};

constexpr std::array<std::string_view, 10> kBaseUnits = {
    "B", "s", "FLOP", "B/s", "FLOP/s", "FLOP/B", "B/token", "tokens/s", "W", "Hz"};

/// What "GiB/token" stands for: prefix and base unit are told apart by the base units, since "m"
/// alone could be either.
double factor_of(std::string_view unit) {
  if (unit == "%")
    return 0.01;
  if (unit == "min")
    return 60.0;
  if (unit == "h")
    return 3600.0;
  for (const auto& [prefix, factor] : kPrefixes) {
    if (!unit.starts_with(prefix))
      continue;
    for (const std::string_view base : kBaseUnits) {
      if (unit.substr(prefix.size()) == base)
        return factor;
    }
  }
  return 1.0;
}

std::string scaled_number(double number) {
  const double size = std::fabs(number);
  if (size == 0.0)
    return "0";
  if (size >= 999.5 && size < 9e15)
    return format_count(std::llround(number));
  if (size >= 9e15)
    return fmt::format("{:.2e}", number);
  if (size < 0.0005)
    return number < 0.0 ? ">-0.001" : "<0.001";
  // 99.95 has three digits as "100", so the decimals follow from the rounded number.
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return fmt::format("{:.{}f}", number, decimals);
}

}  // namespace

std::string human(const Value& value) {
  return std::visit([](const auto& held) { return text_of(held); }, value);
}

std::optional<double> si_value(const Value& value) {
  return std::visit(
      [](const auto& held) -> std::optional<double> {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, Share>) {
          return held.value;
        } else if constexpr (std::is_same_v<Held, Capacity>) {
          return held.value.value();
        } else if constexpr (kHasUnit<Held>) {
          return held.value();
        } else {
          return std::nullopt;
        }
      },
      value);
}

ColumnUnit unit_of(const Value& value) {
  if (!si_value(value))
    return {};
  const std::string text = human(value);
  std::string unit = text.substr(text.find(' ') + 1);
  const double factor = factor_of(unit);
  return {std::move(unit), factor};
}

ColumnUnit unit_named(std::string_view text) {
  return {std::string(text), factor_of(text)};
}

std::string human_in(const Value& value, const ColumnUnit& unit) {
  const std::optional<double> number = si_value(value);
  if (!number || unit.text.empty())
    return human(value);
  const double scaled = *number / unit.factor;
  if (std::holds_alternative<Capacity>(value)) {
    if (scaled == 0.0)
      return "0";
    if (std::fabs(scaled) >= 999.5)
      return format_count(std::llround(scaled));
    return scaled < 0.005 ? "<0.01" : fmt::format("{:.2f}", scaled);
  }
  if (std::holds_alternative<Share>(value)) {
    const std::string text = format_percent(*number);
    return text.substr(0, text.find(' '));
  }
  return scaled_number(scaled);
}

}  // namespace roofcast
