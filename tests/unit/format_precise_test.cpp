#include "roofcast/units/format_precise.hpp"

#include <doctest/doctest.h>

using namespace roofcast;

TEST_CASE("format precise: bytes in full") {
  CHECK(format_precise(bytes(13476831232.0)) == "13,476,831,232 B");
  CHECK(format_precise(bytes(0.0)) == "0 B");
  CHECK(format_precise(bytes(-5.0)) == "-5 B");
  CHECK(format_precise(bytes(1234567.5)) == "1,234,567.5 B");
  CHECK(format_precise(bytes(76968768307.2)) == "76,968,768,307.2 B");
  CHECK(format_precise(bytes(999.96)) == "1,000 B");
  CHECK(format_precise(bytes(-0.01)) == "0 B");
  CHECK(format_precise(bytes(2.5e15)) == "2.5 PB");
  CHECK(format_precise(BytesPerToken::from_value(524288)) == "524,288 B/token");
}

TEST_CASE("format precise: work, times and rates") {
  CHECK(format_precise(flops(27.62781e12)) == "27.6278 TFLOP");
  CHECK(format_precise(flops(0.0)) == "0 FLOP");
  CHECK(format_precise(seconds(0.00700756708)) == "7.00757 ms");
  CHECK(format_precise(seconds(3e-6)) == "3 us");
  CHECK(format_precise(seconds(1.5)) == "1.5 s");
  CHECK(format_precise(seconds(2e-12)) == "0.002 ns");
  CHECK(format_precise(BytesPerSecond::from_value(2039e9)) == "2.039 TB/s");
  CHECK(format_precise(FlopsPerSecond::from_value(989.4e12)) == "989.4 TFLOP/s");
  CHECK(format_precise(TokensPerSecond::from_value(142.7029)) == "142.703 tokens/s");
  CHECK(format_precise(295.3433) == "295.343");
}
