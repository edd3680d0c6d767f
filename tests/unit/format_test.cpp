#include "roofcast/units/format.hpp"

#include "roofcast/units/parse.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using roofcast::test::near;

namespace {
BytesPerToken bytes_per_token(double value) {
  return BytesPerToken::from_value(value);
}
TokensPerSecond tokens_per_second(double value) {
  return TokensPerSecond::from_value(value);
}
FlopsPerSecond rate(double value) {
  return FlopsPerSecond::from_value(value);
}
BytesPerSecond bandwidth(double value) {
  return BytesPerSecond::from_value(value);
}
FlopsPerByte intensity(double value) {
  return FlopsPerByte::from_value(value);
}
}  // namespace

TEST_CASE("format: three significant digits and the prefix that keeps the number below 1000") {
  CHECK(format(bytes(13'476'831'232.0)) == "13.5 GB");
  CHECK(format(flops(27.6348e12)) == "27.6 TFLOP");
  CHECK(format(seconds(7.008e-3)) == "7.01 ms");
  CHECK(format(seconds(88.49e-3)) == "88.5 ms");
  CHECK(format(seconds(3e-6)) == "3.00 us");
  CHECK(format(bandwidth(3.35e12)) == "3.35 TB/s");
  CHECK(format(rate(989.4e12)) == "989 TFLOP/s");
  CHECK(format(rate(1978.9e12)) == "1.98 PFLOP/s");
  CHECK(format(Watts::from_value(700.0)) == "700 W");
  CHECK(format(Watts::from_value(1200.0)) == "1.20 kW");
  CHECK(format(Hertz::from_value(1.83e9)) == "1.83 GHz");
}

TEST_CASE("format: every prefix, so that a wrong one cannot hide") {
  CHECK(format(flops(1.0)) == "1.00 FLOP");
  CHECK(format(flops(1e3)) == "1.00 kFLOP");
  CHECK(format(flops(1e6)) == "1.00 MFLOP");
  CHECK(format(flops(1e9)) == "1.00 GFLOP");
  CHECK(format(flops(1e12)) == "1.00 TFLOP");
  CHECK(format(flops(1e15)) == "1.00 PFLOP");
  CHECK(format(flops(1e18)) == "1.00 EFLOP");
  CHECK(format(seconds(1.0)) == "1.00 s");
  CHECK(format(seconds(1e-3)) == "1.00 ms");
  CHECK(format(seconds(1e-6)) == "1.00 us");
  CHECK(format(seconds(1e-9)) == "1.00 ns");
  CHECK(format(seconds(1e-12)) == "1.00 ps");
  CHECK(format_binary(bytes(1'024.0)) == "1.00 KiB");
  CHECK(format_binary(bytes(1'048'576.0)) == "1.00 MiB");
  CHECK(format_binary(bytes(1'073'741'824.0)) == "1.00 GiB");
  CHECK(format_binary(bytes(1'099'511'627'776.0)) == "1.00 TiB");
  CHECK(format_binary(bytes(1'125'899'906'842'624.0)) == "1.00 PiB");
}

TEST_CASE("format: rounding up carries into the next prefix and never shows 1000") {
  CHECK(format(bytes(999.4e3)) == "999 kB");
  CHECK(format(bytes(999.5e3)) == "1.00 MB");
  CHECK(format(bytes(999.95e3)) == "1.00 MB");
  CHECK(format(bytes(999.95)) == "1.00 kB");
  CHECK(format(seconds(0.9996)) == "1.00 s");
  CHECK(format(seconds(999.6e-6)) == "1.00 ms");
  CHECK(format(bytes(9.996e9)) == "10.0 GB");
  CHECK(format(bytes(99.96e9)) == "100 GB");
  CHECK(format(bytes(9.994e9)) == "9.99 GB");
}

TEST_CASE("format: whole bytes below a kilobyte are exact, zero has no digits and no sign") {
  CHECK(format(bytes(0.0)) == "0 B");
  CHECK(format(bytes(-0.0)) == "0 B");
  CHECK(format(bytes(7.0)) == "7 B");
  CHECK(format(bytes(512.0)) == "512 B");
  CHECK(format(bytes(999.0)) == "999 B");
  CHECK(format(bytes(1000.0)) == "1.00 kB");
  CHECK(format(bytes(0.5)) == "0.500 B");
  CHECK(format(seconds(0.0)) == "0 s");
  CHECK(format(seconds(-0.0)) == "0 s");
  CHECK(format(flops(-0.0)) == "0 FLOP");
  CHECK(format_binary(bytes(-0.0)) == "0 B");
  CHECK(format(bytes_per_token(-0.0)) == "0 B/token");
  CHECK(format(tokens_per_second(-0.0)) == "0 tokens/s");
}

TEST_CASE("format: negative numbers keep their sign") {
  CHECK(format(seconds(-6.4e-3)) == "-6.40 ms");
  CHECK(format(bytes(-13.5e9)) == "-13.5 GB");
  CHECK(format(bytes(-999.95)) == "-1.00 kB");
  CHECK(format_binary(bytes(-1'073'741'824.0)) == "-1.00 GiB");
}

TEST_CASE("format: beyond the prefixes digits, then an exponent") {
  CHECK(format(seconds(5234.0)) == "5230 s");
  CHECK(format(seconds(86'400.0)) == "86400 s");
  CHECK(format(seconds(1e6)) == "1.00e+6 s");
  CHECK(format(flops(27.6e21)) == "27600 EFLOP");
  CHECK(format(flops(1e30)) == "1.00e+12 EFLOP");
  CHECK(format(seconds(2.5e-14)) == "0.0250 ps");
  CHECK(format(seconds(1e-30)) == "1.00e-18 ps");
  CHECK(format(flops(std::numeric_limits<double>::max())) == "1.80e+290 EFLOP");
  CHECK(format(seconds(std::numeric_limits<double>::denorm_min())) == "4.94e-312 ps");
}

TEST_CASE("format: what is not finite says so") {
  CHECK(format(seconds(std::numeric_limits<double>::infinity())) == "inf s");
  CHECK(format(seconds(-std::numeric_limits<double>::infinity())) == "-inf s");
  CHECK(format(bytes(std::nan(""))) == "nan B");
  CHECK(format_binary(bytes(std::nan(""))) == "nan B");
  CHECK(format(bytes_per_token(std::nan(""))) == "nan B/token");
  CHECK(format(tokens_per_second(std::nan(""))) == "nan tokens/s");
  CHECK(format_percent(std::nan("")) == "nan %");
  CHECK(format_change(seconds(std::nan("")), seconds(1.0)) == "nan s");
}

TEST_CASE("format: an intensity has no prefix") {
  CHECK(format(intensity(156.2)) == "156 FLOP/B");
  CHECK(format(intensity(0.998)) == "0.998 FLOP/B");
  CHECK(format(intensity(1.0)) == "1.00 FLOP/B");
  CHECK(format(intensity(1365.3)) == "1370 FLOP/B");
}

TEST_CASE("format: token rates are whole numbers from a thousand on") {
  CHECK(format(tokens_per_second(142.69)) == "143 tokens/s");
  CHECK(format(tokens_per_second(1.5)) == "1.50 tokens/s");
  CHECK(format(tokens_per_second(0.25)) == "0.250 tokens/s");
  CHECK(format(tokens_per_second(999.4)) == "999 tokens/s");
  CHECK(format(tokens_per_second(999.6)) == "1,000 tokens/s");
  CHECK(format(tokens_per_second(23'141.4)) == "23,141 tokens/s");
}

// Llama 2 7B: 2 x 32 layers x 32 heads x 128 x 2 B = 524,288 B = 512 KiB. Llama 2 70B: 2 x 80 x 8 x
// 128 x 2 = 327,680 B = 320 KiB. GPT-2: 2 x 12 x 12 x 64 x 2 = 36,864 B = 36 KiB.
TEST_CASE("format: KV growth has binary prefixes") {
  CHECK(format(bytes_per_token(524'288.0)) == "512 KiB/token");
  CHECK(format(bytes_per_token(327'680.0)) == "320 KiB/token");
  CHECK(format(bytes_per_token(36'864.0)) == "36.0 KiB/token");
  CHECK(format(bytes_per_token(1'310'720.0)) == "1.25 MiB/token");
  CHECK(format(bytes_per_token(768.0)) == "768 B/token");
  CHECK(format(bytes_per_token(1023.0)) == "1023 B/token");
  CHECK(format(bytes_per_token(1'023.0 * 1024.0)) == "1023 KiB/token");
  // 1023.9 KiB rounds to 1024 KiB, which is 1 MiB.
  CHECK(format(bytes_per_token(1'023.9 * 1024.0)) == "1.00 MiB/token");
}

// 13,476,831,232 / 2^30 = 12.5513; 85,520,809,984 / 2^30 = 79.6475.
TEST_CASE("format: capacities have binary prefixes and two decimals") {
  CHECK(format_binary(bytes(13'476'831'232.0)) == "12.55 GiB");
  CHECK(format_binary(bytes(85'520'809'984.0)) == "79.65 GiB");
  CHECK(format_binary(bytes(2'147'483'648.0)) == "2.00 GiB");
  CHECK(format_binary(bytes(1'023.0)) == "1023 B");
  // 1023.996 MiB rounds to 1024.00 MiB, which is 1 GiB.
  CHECK(format_binary(bytes(1'023.996 * 1'048'576.0)) == "1.00 GiB");
  CHECK(format_binary(bytes(1'023.994 * 1'048'576.0)) == "1023.99 MiB");
}

TEST_CASE("format: counts have separators") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1000) == "1,000");
  CHECK(format_count(32'000) == "32,000");
  CHECK(format_count(6'738'415'616) == "6,738,415,616");
  CHECK(format_count(-999) == "-999");
  CHECK(format_count(-1'000'000) == "-1,000,000");
  CHECK(format_count(std::numeric_limits<std::int64_t>::min()) == "-9,223,372,036,854,775,808");
}

TEST_CASE("format: percentages have one decimal below ten and none above") {
  CHECK(format_percent(0.0) == "0 %");
  CHECK(format_percent(-0.0) == "0 %");
  CHECK(format_percent(0.034) == "3.4 %");
  CHECK(format_percent(0.83) == "83 %");
  CHECK(format_percent(1.0) == "100 %");
  CHECK(format_percent(2.5) == "250 %");
  // 9.94 % rounds to 9.9, 9.96 % to 10.0, which is shown without its decimal.
  CHECK(format_percent(0.0994) == "9.9 %");
  CHECK(format_percent(0.0996) == "10 %");
  CHECK(format_percent(-0.032) == "-3.2 %");
  CHECK(format_percent(-0.5) == "-50 %");
  CHECK(format_percent(0.0001) == "0.0 %");
  CHECK(format_percent(-0.0001) == "0.0 %");
}

TEST_CASE("format: changes share the prefix and the decimals of their scale") {
  const Seconds scale = seconds(7.01e-3);
  CHECK(format_change(seconds(-6.4e-3), scale) == "-6.40 ms");
  CHECK(format_change(seconds(0.3e-3), scale) == "+0.30 ms");
  CHECK(format_change(seconds(-12.3e-3), scale) == "-12.30 ms");
  CHECK(format_change(seconds(0.0), scale) == "0 ms");
  CHECK(format_change(seconds(-0.0), scale) == "0 ms");
  CHECK(format_change(seconds(1e-9), scale) == "0 ms");
  CHECK(format_change(seconds(-1e-9), scale) == "0 ms");
  CHECK(format_change(seconds(0.3e-3), seconds(27.9e-3)) == "+0.3 ms");
  CHECK(format_change(seconds(12e-3), seconds(446.8e-3)) == "+12 ms");
  CHECK(format_change(seconds(-2.0), seconds(5.0)) == "-2.00 s");
  CHECK(format_change(seconds(0.0), seconds(0.0)) == "0 s");
  CHECK(format_change(seconds(2e-3), seconds(0.0)) == "+2.00 ms");
}

namespace {

/// What is printed reads back as the number it came from, to half a unit of its last digit (at
/// worst 1.00, so 0.005 of the value), and prints as the same text again.
template <class Quantity>
void check_round_trip(Parsed<Quantity> (*parse)(std::string_view), double low_power,
                      double high_power) {
  std::mt19937_64 random(20240607);
  std::uniform_real_distribution<double> power(low_power, high_power);
  for (int i = 0; i < 2000; ++i) {
    const Quantity value = Quantity::from_value(std::pow(10.0, power(random)));
    const std::string text = format(value);
    CAPTURE(text);
    const Parsed<Quantity> back = parse(text);
    REQUIRE(back.problem == "");
    CHECK(near(back.value, value, 0.005001));
    CHECK(format(back.value) == text);
  }
}

}  // namespace

TEST_CASE("format: what is printed can be read again") {
  check_round_trip<Bytes>(parse_bytes, 3.0, 24.0);
  check_round_trip<BytesPerSecond>(parse_bytes_per_second, -3.0, 24.0);
  check_round_trip<FlopsPerSecond>(parse_flops_per_second, -3.0, 24.0);
  check_round_trip<Seconds>(parse_seconds, -20.0, 9.0);
  check_round_trip<Watts>(parse_watts, -6.0, 12.0);
  check_round_trip<Hertz>(parse_hertz, 0.0, 15.0);
}

TEST_CASE("format: capacities can be read again to half a hundredth of their unit") {
  std::mt19937_64 random(20240608);
  std::uniform_real_distribution<double> power(10.0, 60.0);
  for (int i = 0; i < 2000; ++i) {
    const Bytes value = bytes(std::round(std::exp2(power(random))));
    const std::string text = format_binary(value);
    CAPTURE(text);
    const Parsed<Bytes> back = parse_bytes(text);
    REQUIRE(back.problem == "");
    CHECK(near(back.value, value, 0.005001));
    CHECK(format_binary(back.value) == text);
  }
}
