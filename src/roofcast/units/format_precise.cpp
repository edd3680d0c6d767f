#include "roofcast/units/format_precise.hpp"

#include "roofcast/units/format.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr double kFullLimit = 1e15;

struct Scale {
  std::string_view prefix;
  double factor;
};

constexpr Scale kTimes[] = {{"", 1.0}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}};
constexpr Scale kSizes[] = {{"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9},
                            {"M", 1e6},  {"k", 1e3},  {"", 1.0}};

/// In the largest prefix of which there is at least one; the last one for anything smaller.
template <std::size_t N>
std::string scaled(double value, std::string_view unit, const Scale (&scales)[N]) {
  if (value == 0.0 || !std::isfinite(value))
    return fmt::format("{} {}", value == 0.0 ? 0.0 : value, unit);
  const Scale* chosen = &scales[N - 1];
  for (const Scale& scale : scales) {
    if (std::fabs(value) >= scale.factor) {
      chosen = &scale;
      break;
    }
  }
  return fmt::format("{:.6g} {}{}", value / chosen->factor, chosen->prefix, unit);
}

/// All digits before the point, and one behind it where it is not 0.
std::string in_full(double value, std::string_view unit) {
  const double tenths = std::round(std::fabs(value) * 10.0);
  const auto last = static_cast<int>(std::fmod(tenths, 10.0));
  std::string text = format_count(static_cast<std::int64_t>(std::floor(tenths / 10.0)));
  if (last != 0)
    text += fmt::format(".{}", last);
  return fmt::format("{}{} {}", value < 0.0 && tenths > 0.0 ? "-" : "", text, unit);
}

}  // namespace

std::string format_precise(Bytes value) {
  const double size = value.value();
  return std::fabs(size) < kFullLimit ? in_full(size, "B") : scaled(size, "B", kSizes);
}

std::string format_precise(Flops value) {
  return scaled(value.value(), "FLOP", kSizes);
}

std::string format_precise(Seconds value) {
  return scaled(value.value(), "s", kTimes);
}

std::string format_precise(BytesPerSecond value) {
  return scaled(value.value(), "B/s", kSizes);
}

std::string format_precise(FlopsPerSecond value) {
  return scaled(value.value(), "FLOP/s", kSizes);
}

std::string format_precise(TokensPerSecond value) {
  constexpr Scale kNone[] = {{"", 1.0}};
  return scaled(value.value(), "tokens/s", kNone);
}

std::string format_precise(BytesPerToken value) {
  const double size = value.value();
  return std::fabs(size) < kFullLimit ? in_full(size, "B/token") : scaled(size, "B/token", kSizes);
}

std::string format_precise(double value) {
  return fmt::format("{:.6g}", value);
}

}  // namespace roofcast
