#include "roofcast/units/quantity.hpp"

// A number without a unit is no quantity.
roofcast::Bytes size() {
#ifdef MUST_FAIL
  return 5.0;
#else
  return roofcast::bytes(5.0);
#endif
}
