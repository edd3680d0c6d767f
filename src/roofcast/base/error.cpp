#include "roofcast/base/error.hpp"

namespace roofcast {

void fail_check(const char* condition, const char* file, int line) {
  throw InternalError(std::string(file) + ':' + std::to_string(line) + ": internal error: '" +
                      condition + "' does not hold; please report this");
}

}  // namespace roofcast
