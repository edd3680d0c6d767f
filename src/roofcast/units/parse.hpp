#pragma once

#include "roofcast/units/quantity.hpp"

#include <string>
#include <string_view>

namespace roofcast {

/// A quantity read from text, or the reason why it is none.
template <class Quantity>
struct Parsed {
  Quantity value{};
  std::string
      problem;  ///< empty when `value` holds; else a phrase: "needs one space before its unit"

  [[nodiscard]] bool ok() const { return problem.empty(); }
};

/// Strict reading of "80 GiB", "3.35 TB/s", "989.4 TFLOP/s", "1830 MHz", "3 us", "700 W": a decimal
/// number, one space, a unit from a case-sensitive table. Anything else is a problem with its
/// reason: no unit, no space, an unknown unit, a sign, a leading zero, a non-finite or hexadecimal
/// number. The value is the double nearest to what is written; bytes are rounded to whole ones.
///
/// GB = 10^9 bytes, GiB = 2^30 bytes. `Gb/s` is bits per second, because links are sold in it.
/// FLOP/s and OP/s (for integer paths) share one quantity.
Parsed<Bytes> parse_bytes(std::string_view text);
Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text);
Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text);
Parsed<Seconds> parse_seconds(std::string_view text);
Parsed<Watts> parse_watts(std::string_view text);
Parsed<Hertz> parse_hertz(std::string_view text);

/// Strict reading of a whole decimal number without sign, prefix or separators: "2048".
/// "010", "0x10", "1e3", "1.0", "-1", "" and numbers beyond 2^53 are problems.
Parsed<std::int64_t> parse_count(std::string_view text);

/// Strict reading of a finite, decimal, non-negative number: "0.9".
Parsed<double> parse_number(std::string_view text);

}  // namespace roofcast
