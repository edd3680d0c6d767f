#include "roofcast/units/parse.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace roofcast;

namespace {

struct UnitCase {
  std::string text;
  double value;
};

struct ProblemCase {
  std::string text;
  std::string problem;
};

template <class Quantity>
void check_values(Parsed<Quantity> (*parse)(std::string_view), const std::vector<UnitCase>& cases) {
  for (const UnitCase& c : cases) {
    CAPTURE(c.text);
    const Parsed<Quantity> parsed = parse(c.text);
    CHECK(parsed.problem == "");
    CHECK(parsed.value.value() == c.value);  // exactly: the double nearest to what is written
  }
}

constexpr std::string_view kByteList = "B, kB, MB, GB, TB, PB, EB, KiB, MiB, GiB, TiB, PiB, EiB";

}  // namespace

// SI prefixes: k 10^3, M 10^6, G 10^9, T 10^12, P 10^15, E 10^18 (SI Brochure, 9th edition, table
// 7). Binary prefixes: Ki 2^10, Mi 2^20, Gi 2^30, Ti 2^40, Pi 2^50, Ei 2^60 (IEC 80000-13:2008).
TEST_CASE("parse: every unit of bytes has its factor") {
  check_values<Bytes>(parse_bytes, {{"1 B", 1.0},
                                    {"1 kB", 1'000.0},
                                    {"1 MB", 1'000'000.0},
                                    {"1 GB", 1'000'000'000.0},
                                    {"1 TB", 1'000'000'000'000.0},
                                    {"1 PB", 1'000'000'000'000'000.0},
                                    {"1 EB", 1'000'000'000'000'000'000.0},
                                    {"1 KiB", 1'024.0},
                                    {"1 MiB", 1'048'576.0},
                                    {"1 GiB", 1'073'741'824.0},
                                    {"1 TiB", 1'099'511'627'776.0},
                                    {"1 PiB", 1'125'899'906'842'624.0},
                                    {"1 EiB", 1'152'921'504'606'846'976.0}});
}

// A bit is an eighth of a byte: 400 Gb/s = 50 GB/s.
TEST_CASE("parse: every unit of bandwidth has its factor, and a small b is a bit") {
  check_values<BytesPerSecond>(parse_bytes_per_second, {{"1 B/s", 1.0},
                                                        {"1 kB/s", 1e3},
                                                        {"1 MB/s", 1e6},
                                                        {"1 GB/s", 1e9},
                                                        {"1 TB/s", 1e12},
                                                        {"1 PB/s", 1e15},
                                                        {"1 EB/s", 1e18},
                                                        {"1 KiB/s", 1'024.0},
                                                        {"1 MiB/s", 1'048'576.0},
                                                        {"1 GiB/s", 1'073'741'824.0},
                                                        {"1 TiB/s", 1'099'511'627'776.0},
                                                        {"8 Mb/s", 1e6},
                                                        {"400 Gb/s", 50e9},
                                                        {"1.6 Tb/s", 200e9}});
}

TEST_CASE("parse: every unit of compute, time, power and frequency has its factor") {
  check_values<FlopsPerSecond>(parse_flops_per_second, {{"1 FLOP/s", 1.0},
                                                        {"1 kFLOP/s", 1e3},
                                                        {"1 MFLOP/s", 1e6},
                                                        {"1 GFLOP/s", 1e9},
                                                        {"1 TFLOP/s", 1e12},
                                                        {"1 PFLOP/s", 1e15},
                                                        {"1 EFLOP/s", 1e18},
                                                        {"1 OP/s", 1.0},
                                                        {"1 GOP/s", 1e9},
                                                        {"1 TOP/s", 1e12},
                                                        {"1 POP/s", 1e15}});
  check_values<Seconds>(
      parse_seconds,
      {{"1 s", 1.0}, {"1 ms", 1e-3}, {"1 us", 1e-6}, {"1 ns", 1e-9}, {"1 ps", 1e-12}});
  check_values<Watts>(parse_watts, {{"1 W", 1.0}, {"1 mW", 1e-3}, {"1 kW", 1e3}, {"1 MW", 1e6}});
  check_values<Hertz>(parse_hertz, {{"1 Hz", 1.0}, {"1 kHz", 1e3}, {"1 MHz", 1e6}, {"1 GHz", 1e9}});
}

// The literals on the right are converted by the compiler, so this also says that no product rounds
// twice: 989.4 * 1e12 and 3.35 * 1e12 are not the doubles nearest to 989.4e12 and 3.35e12 on every
// path.
TEST_CASE("parse: a decimal fraction becomes the double nearest to it") {
  check_values<BytesPerSecond>(
      parse_bytes_per_second,
      {{"3.35 TB/s", 3.35e12}, {"2039 GB/s", 2.039e12}, {"4.8 TB/s", 4.8e12}, {"0.1 GB/s", 1e8}});
  check_values<FlopsPerSecond>(parse_flops_per_second,
                               {{"989.4 TFLOP/s", 989.4e12}, {"1978.9 TOP/s", 1978.9e12}});
  check_values<Seconds>(parse_seconds, {{"3 us", 3e-6}, {"0.3 us", 0.3e-6}, {"1.7 ms", 1.7e-3}});
  check_values<Hertz>(parse_hertz, {{"1830 MHz", 1.83e9}, {"2.505 GHz", 2.505e9}});
}

// 80 x 2^30 = 85,899,345,920; 81,559 x 2^20 = 85,520,809,984 (what the driver of an H100 80 GB
// reports).
TEST_CASE("parse: GB and GiB are two units") {
  check_values<Bytes>(
      parse_bytes,
      {{"80 GB", 80'000'000'000.0}, {"80 GiB", 85'899'345'920.0}, {"81559 MiB", 85'520'809'984.0}});
}

// 79.15 x 1,073,741,824 = 84,986,665,369.6
TEST_CASE("parse: a fraction of a byte is rounded to the nearest byte") {
  check_values<Bytes>(parse_bytes, {{"79.15 GiB", 84'986'665'370.0}, {"1.4 B", 1.0}, {"0 B", 0.0}});
}

TEST_CASE("parse: an exponent is a decimal number too") {
  check_values<Bytes>(parse_bytes, {{"1e3 GB", 1e12}, {"2.5E+1 kB", 25e3}});
  check_values<Seconds>(parse_seconds, {{"1e-3 ms", 1e-6}});
}

TEST_CASE("parse: quantities that are none, each with its reason") {
  const std::string list(kByteList);
  const std::vector<ProblemCase> cases = {
      {"", "is empty"},
      {"80", "has no unit; use one of " + list},
      {"80GB", "needs one space between number and unit"},
      {"80GiB", "needs one space between number and unit"},
      {"5EB", "needs one space between number and unit"},
      {"80  GB", "has an unknown unit; use one of " + list},
      {"80 GB ", "has an unknown unit; use one of " + list},
      {"80 ", "has an unknown unit; use one of " + list},
      {"80\tGB", "is not a decimal number"},
      {" 80 GB", "is not a decimal number"},
      {"80 G", "has an unknown unit; use one of " + list},
      {"80 gb", "has an unknown unit; use one of " + list},
      {"80 Gb", "has an unknown unit; use one of " + list},
      {"80 GIB", "has an unknown unit; use one of " + list},
      {"80 KB", "has an unknown unit; use one of " + list},
      {"80 GB/s", "has an unknown unit; use one of " + list},
      {"-1 GiB", "must not be negative"},
      {"-0 GiB", "must not be negative"},
      {"+80 GiB", "is not a decimal number"},
      {"nan GiB", "is not a decimal number"},
      {"inf GiB", "is not a decimal number"},
      {"GiB", "is not a decimal number"},
      {"0x50 GiB", "is not a decimal number"},
      {"8_0 GiB", "is not a decimal number"},
      {"80,0 GiB", "is not a decimal number"},
      {"1,000 GiB", "is not a decimal number"},
      {"1.2.3 GiB", "is not a decimal number"},
      {".5 GiB", "is not a decimal number"},
      {"5. GiB", "needs a digit after its point"},
      {"080 GiB", "must not start with a zero"},
      {"00 GiB", "must not start with a zero"},
      {"1e400 GiB", "is out of range"},
      {"1e308 GiB", "is out of range"},
      {"1e99999 B", "is out of range"},
      {"1e-400 B", "is out of range"},
      {"1e B", "needs one space between number and unit"},
      {"１ GB", "is not a decimal number"},
  };
  for (const ProblemCase& c : cases) {
    CAPTURE(c.text);
    const Parsed<Bytes> parsed = parse_bytes(c.text);
    CHECK_FALSE(parsed.ok());
    CHECK(parsed.problem == c.problem);
    CHECK(parsed.value.value() == 0.0);
  }
}

TEST_CASE("parse: a unit of another quantity is unknown and the right ones are listed") {
  CHECK(parse_bytes_per_second("3350 GB").problem.starts_with(
      "has an unknown unit; use one of B/s, "));
  CHECK(parse_flops_per_second("989 TFLOPS")
            .problem.starts_with("has an unknown unit; use one of FLOP/s"));
  CHECK(parse_flops_per_second("989 TFLOPs/s").problem.starts_with("has an unknown unit"));
  CHECK(parse_seconds("3 min").problem == "has an unknown unit; use one of s, ms, us, ns, ps");
  CHECK(parse_watts("700").problem == "has no unit; use one of W, mW, kW, MW");
  CHECK(parse_hertz("1.8 Ghz").problem == "has an unknown unit; use one of Hz, kHz, MHz, GHz");
}

TEST_CASE("parse: counts are whole numbers in plain digits") {
  CHECK(parse_count("0").value == 0);
  CHECK(parse_count("2048").value == 2048);
  CHECK(parse_count("9007199254740992").value == std::int64_t{1} << 53);
  CHECK(parse_count("2048").ok());
  const std::vector<ProblemCase> cases = {
      {"", "is empty"},
      {"010", "must not start with a zero"},
      {"00", "must not start with a zero"},
      {"-1", "must not be negative"},
      {"+1", "must be a whole number in plain digits"},
      {"0x10", "must be a whole number in plain digits"},
      {"1e3", "must be a whole number in plain digits"},
      {"1.0", "must be a whole number in plain digits"},
      {"1_000", "must be a whole number in plain digits"},
      {"1,000", "must be a whole number in plain digits"},
      {" 1", "must be a whole number in plain digits"},
      {"1 ", "must be a whole number in plain digits"},
      {"nan", "must be a whole number in plain digits"},
      {"9007199254740993", "must be at most 2^53"},
      {"18446744073709551611", "must be at most 2^53"},
      {"99999999999999999999999999", "must be at most 2^53"},
  };
  for (const ProblemCase& c : cases) {
    CAPTURE(c.text);
    CHECK(parse_count(c.text).problem == c.problem);
    CHECK(parse_count(c.text).value == 0);
  }
}

TEST_CASE("parse: numbers are finite, decimal and not negative") {
  CHECK(parse_number("0.9").value == 0.9);
  CHECK(parse_number("0").value == 0.0);
  CHECK(parse_number("12").value == 12.0);
  CHECK(parse_number("1e-5").value == 1e-5);
  const std::vector<ProblemCase> cases = {
      {"", "is empty"},
      {"nan", "is not a decimal number"},
      {".nan", "is not a decimal number"},
      {"inf", "is not a decimal number"},
      {"-0.5", "must not be negative"},
      {"0.9 ", "is not a decimal number"},
      {"90 %", "is not a decimal number"},
      {"0,9", "is not a decimal number"},
      {".9", "is not a decimal number"},
      {"1.", "needs a digit after its point"},
      {"1e", "is not a decimal number"},
      {"1e+", "is not a decimal number"},
      {"0x1p3", "is not a decimal number"},
      {"1e400", "is out of range"},
  };
  for (const ProblemCase& c : cases) {
    CAPTURE(c.text);
    CHECK(parse_number(c.text).problem == c.problem);
    CHECK(parse_number(c.text).value == 0.0);
  }
}
