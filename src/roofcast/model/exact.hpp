#pragma once

#include "roofcast/base/error.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/units/quantity.hpp"

#include <string>
#include <string_view>

/// Integers wide enough for any product of the shapes that model.hpp allows, for sizes that must be
/// right to the byte before they become a quantity.
namespace roofcast::exact {

__extension__ typedef unsigned __int128
    Wide;  // no `using`: only the declaration may carry the extension

constexpr Wide wide(std::int64_t value) {
  return static_cast<Wide>(value);
}

/// Rounds up; 64-bit division where that is enough, since the wide one is a call.
constexpr Wide ceil_div(Wide value, std::int64_t by) {
  const Wide rounded = value + wide(by) - 1;
  if (rounded >> 64 == 0) {
    return static_cast<unsigned long long>(rounded) / static_cast<unsigned long long>(by);
  }
  return rounded / wide(by);
}

constexpr Wide bits_to_bytes(Wide bits) {
  return (bits + 7) >> 3;
}

/// @throws ConfigError  when `value` passes 2^53, above which a double is no longer exact
inline Bytes to_bytes(Wide value, std::string_view what) {
  if (value > static_cast<Wide>(kMaxExact)) {
    throw ConfigError(std::string(what) + " would pass 2^53 bytes");
  }
  return bytes(static_cast<double>(value));
}

}  // namespace roofcast::exact
