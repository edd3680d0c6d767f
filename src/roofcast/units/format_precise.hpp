#pragma once

#include "roofcast/units/quantity.hpp"

#include <cstdint>
#include <string>

/// Quantities as text from which one can calculate on: six significant digits where format() has
/// three, bytes in full. For formulas with numbers put in, and nothing else.
namespace roofcast {

/// "13,476,831,232 B", "76,968,768,307.2 B": to a tenth of a byte below 10^15, else "1.23457 PB".
std::string format_precise(Bytes value);
std::string format_precise(Flops value);            ///< "27.6278 TFLOP"
std::string format_precise(Seconds value);          ///< "7.00757 ms"
std::string format_precise(BytesPerSecond value);   ///< "2.039 TB/s"
std::string format_precise(FlopsPerSecond value);   ///< "989.4 TFLOP/s"
std::string format_precise(TokensPerSecond value);  ///< "142.703 tokens/s"
std::string format_precise(BytesPerToken value);    ///< "524,288 B/token"
/// A number without a unit: "295.343".
std::string format_precise(double value);

}  // namespace roofcast
