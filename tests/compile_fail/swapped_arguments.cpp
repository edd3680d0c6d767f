#include "roofcast/units/quantity.hpp"

#include <algorithm>

// Arguments of different kinds cannot be swapped without the compiler's notice.
static roofcast::Seconds attainable(roofcast::Flops work, roofcast::Bytes traffic,
                                    roofcast::FlopsPerSecond peak,
                                    roofcast::BytesPerSecond bandwidth) {
  return std::max(work / peak, traffic / bandwidth);
}

roofcast::Seconds one_second(roofcast::FlopsPerSecond peak, roofcast::BytesPerSecond bandwidth) {
#ifdef MUST_FAIL
  return attainable(roofcast::bytes(1.0), roofcast::flops(1.0), peak, bandwidth);
#else
  return attainable(roofcast::flops(1.0), roofcast::bytes(1.0), peak, bandwidth);
#endif
}
