#include "roofcast/model/number_format.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/model/exact.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace roofcast {
namespace {

using exact::ceil_div;
using exact::Wide;
using exact::wide;

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

/// Names of GGUF files whose tensors have several types, with the type that most of them have; from
/// llama.cpp tools/quantize.
struct Mixture {
  std::string_view name;
  std::string_view main_type;
};

constexpr auto kMixtures = std::to_array<Mixture>({
    {"q2_k_s", "q2_k"},
    {"q3_k_s", "q3_k"},
    {"q3_k_m", "q3_k"},
    {"q3_k_l", "q3_k"},
    {"q4_k_s", "q4_k"},
    {"q4_k_m", "q4_k"},
    {"q5_k_s", "q5_k"},
    {"q5_k_m", "q5_k"},
    {"iq2_m", "iq2_s"},
    {"iq3_xs", "iq3_s"},
    {"iq3_m", "iq3_s"},
});

struct Bits {
  Wide payload = 0;
  Wide overhead = 0;
};

Bits tensor_bits(const NumberFormat& format, std::int64_t rows, std::int64_t columns) {
  const Wide elements = wide(rows) * wide(columns);
  const std::int64_t side = format.block_elements;
  Wide blocks = 0;
  Wide payload = 0;
  switch (format.layout) {
    case BlockLayout::row:
      blocks = wide(rows) * ceil_div(wide(columns), side);
      payload = blocks * wide(format.payload_bits);
      break;
    case BlockLayout::flat:
      blocks = ceil_div(elements, side);
      payload = ceil_div(elements * wide(format.payload_bits), side);
      break;
    case BlockLayout::tile:
      blocks = ceil_div(wide(rows), side) * ceil_div(wide(columns), side);
      payload = ceil_div(elements * wide(format.payload_bits), side * side);
      break;
  }
  Wide overhead = blocks * wide(format.overhead_bits) + wide(format.tensor_bits);
  if (format.group_blocks > 0) {
    overhead += ceil_div(blocks, format.group_blocks) * wide(format.group_bits);
  }
  return {payload, overhead};
}

}  // namespace

const NumberFormat* find_number_format(std::string_view name) {
  for (const NumberFormat& format : number_formats()) {
    if (same_word(format.name, name))
      return &format;
    for (const std::string_view alias : format.aliases) {
      if (same_word(alias, name))
        return &format;
    }
  }
  return nullptr;
}

const NumberFormat& number_format(std::string_view name) {
  if (const NumberFormat* found = find_number_format(name))
    return *found;
  for (const auto& [mixture, main_type] : kMixtures) {
    if (same_word(mixture, name)) {
      throw UsageError("'" + std::string(name) +
                       "' names GGUF files that mix tensor types, not one " +
                       "number format; most of their tensors are '" + std::string(main_type) + "'");
    }
  }
  std::vector<std::string_view> known;
  for (const NumberFormat& format : number_formats()) {
    known.push_back(format.name);
    known.insert(known.end(), format.aliases.begin(), format.aliases.end());
  }
  throw UsageError("unknown number format '" + printable(name) + "'" + did_you_mean(name, known));
}

double effective_bits(const NumberFormat& format) {
  const auto side = static_cast<double>(format.block_elements);
  const double elements = format.layout == BlockLayout::tile ? side * side : side;
  double bits = static_cast<double>(format.payload_bits + format.overhead_bits) / elements;
  if (format.group_blocks > 0) {
    bits += static_cast<double>(format.group_bits) /
            (static_cast<double>(format.group_blocks) * elements);
  }
  return bits;
}

std::int64_t row_bits(const NumberFormat& format, std::int64_t columns) {
  const std::int64_t side = format.block_elements;
  const std::int64_t blocks = (columns + side - 1) / side;
  const std::int64_t payload = format.layout == BlockLayout::tile
                                   ? columns * (format.payload_bits / (side * side))
                                   : blocks * format.payload_bits;
  return payload + blocks * format.overhead_bits;
}

StorageBytes storage(const NumberFormat& format, std::int64_t rows, std::int64_t columns) {
  constexpr auto kLimit = static_cast<std::int64_t>(kMaxExact);
  if (rows <= 0 || columns <= 0 || rows > kLimit || columns > kLimit) {
    throw ConfigError("a tensor of " + std::to_string(rows) + " x " + std::to_string(columns) +
                      " elements cannot be stored: each side must be from 1 to 2^53");
  }
  const Bits bits = tensor_bits(format, rows, columns);
  const Wide payload = exact::bits_to_bytes(bits.payload);
  const Wide overhead = exact::bits_to_bytes(bits.overhead);
  const Bytes total = exact::to_bytes(payload + overhead, "a tensor");
  const Bytes scales = bytes(static_cast<double>(overhead));
  return {.payload = total - scales, .overhead = scales};
}

}  // namespace roofcast
