#include "roofcast/units/format.hpp"
#include "roofcast/units/parse.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

// Any bytes at all give a finite quantity, never negative, or a reason, never both; what was read
// prints as something that reads back as the same.

namespace {

using namespace roofcast;

void require(bool condition) {
  if (!condition)
    std::abort();
}

template <class Quantity>
void check(Parsed<Quantity> (*parse)(std::string_view), std::string_view text) {
  const Parsed<Quantity> parsed = parse(text);
  const double value = parsed.value.value();
  require(std::isfinite(value) && value >= 0.0);
  if (!parsed.ok()) {
    require(value == 0.0);
    return;
  }
  if (value > 1e300 || (value > 0.0 && value < 1e-300))
    return;  // three digits may round beyond what a double holds
  const std::string printed = format(parsed.value);
  const Parsed<Quantity> again = parse(printed);
  require(again.ok() && format(again.value) == printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  check<Bytes>(parse_bytes, text);
  check<BytesPerSecond>(parse_bytes_per_second, text);
  check<FlopsPerSecond>(parse_flops_per_second, text);
  check<Seconds>(parse_seconds, text);
  check<Watts>(parse_watts, text);
  check<Hertz>(parse_hertz, text);
  const Parsed<std::int64_t> count = parse_count(text);
  require(count.ok() ? std::to_string(count.value) == text : count.value == 0);
  require(std::isfinite(parse_number(text).value));
  return 0;
}
