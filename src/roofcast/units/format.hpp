#pragma once

#include "roofcast/units/quantity.hpp"

#include <cstdint>
#include <string>

/// The one place where quantities become text for a person. Machine formats (JSON, CSV) print plain
/// SI numbers in report/writers/.
namespace roofcast {

/// Three significant digits, rounded once from the exact value, with the prefix that keeps the
/// number in [1, 1000): "13.5 GB", "27.6 TFLOP", "7.01 ms", "3.35 TB/s". Zero is "0 B", without a
/// sign; whole bytes below 1 kB are exact: "512 B". Beyond the prefixes digits are written out
/// ("5230 s"), then an exponent
/// ("1.00e+6 s"). Intensities have no prefix ("1370 FLOP/B"), token rates from 1,000 on are whole
/// ("23,141 tokens/s"). What parse.hpp has a reader for reads back as what it came from.
std::string format(Bytes value);
std::string format(Flops value);
std::string format(Seconds value);
std::string format(BytesPerSecond value);
std::string format(FlopsPerSecond value);
std::string format(FlopsPerByte value);
std::string format(TokensPerSecond value);
std::string format(Watts value);
std::string format(Hertz value);

/// Bytes per token with binary prefixes, as KV growth is usually quoted: "512 KiB/token".
std::string format(BytesPerToken value);

/// Binary prefixes, two decimals: "12.55 GiB"; whole bytes below 1 KiB: "512 B". Capacities are
/// printed so.
std::string format_binary(Bytes value);

/// Whole numbers with thousands separators: "6,738,415,616".
std::string format_count(std::int64_t value);

/// A share as a percentage with one decimal below 10 % and none above: "3.4 %", "83 %".
std::string format_percent(double share);

/// A signed change of time: "-6.40 ms", "+0.30 ms", "0 ms"; prefix and decimals are those of
/// `scale`, so that rows align.
std::string format_change(Seconds change, Seconds scale);

}  // namespace roofcast
