#include "roofcast/units/quantity.hpp"

// A sum of times takes times.
void add_step(roofcast::Seconds& total, [[maybe_unused]] roofcast::Bytes traffic,
              [[maybe_unused]] roofcast::BytesPerSecond bandwidth) {
#ifdef MUST_FAIL
  total += traffic;
#else
  total += traffic / bandwidth;
#endif
}
