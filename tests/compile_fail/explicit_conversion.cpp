#include "roofcast/units/quantity.hpp"

// Not even an explicit conversion turns a bandwidth into a time. The type traits claim that it
// would, so only a compiler run can tell.
roofcast::Seconds time([[maybe_unused]] roofcast::BytesPerSecond bandwidth) {
#ifdef MUST_FAIL
  return roofcast::Seconds(bandwidth);
#else
  return roofcast::Seconds(roofcast::bytes(1.0) / bandwidth);
#endif
}
