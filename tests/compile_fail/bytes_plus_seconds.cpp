#include "roofcast/units/quantity.hpp"

// A sum of different kinds is no quantity.
roofcast::Bytes total(roofcast::Bytes traffic, [[maybe_unused]] roofcast::Seconds time) {
#ifdef MUST_FAIL
  return traffic + time;
#else
  return traffic + traffic;
#endif
}
