#pragma once

#include "roofcast/base/compute_path.hpp"
#include "roofcast/units/quantity.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace roofcast {

/// How a format lays elements down. A row (the axis that a product sums over) is cut into blocks;
/// the last block of a row is stored whole, so 100 elements in 32-element blocks take 4 blocks.
enum class BlockLayout {
  row,   ///< blocks along each row: OCP MX, GGUF, GPTQ, AWQ
  flat,  ///< blocks along the flattened tensor, elements not padded: bitsandbytes
  tile,  ///< square tiles of block_elements x block_elements, elements not padded: FP8 with 128 x
         ///< 128 scales
};

enum class FormatKind { floating, integer, microscaling, weight_only, gguf };

/// One row of the table of number formats: exact storage, and how it computes.
struct NumberFormat {
  std::string_view name;   ///< "fp8_e4m3", "int4_g128", "q4_k"
  std::string_view title;  ///< "FP8 E4M3"
  FormatKind kind;
  double element_bits;  ///< nominal width as stored, without scales: 4 for every 4-bit format, 32
                        ///< for TF32
  BlockLayout layout;
  std::int64_t block_elements;  ///< 1 for plain formats; the side of the tile for BlockLayout::tile
  std::int64_t payload_bits;    ///< per block, elements alone
  std::int64_t overhead_bits;   ///< per block: scales, zero points, minima
  std::int64_t group_blocks;    ///< blocks that share a second-level scale; 0 when there is none
  std::int64_t group_bits;      ///< size of that second-level scale
  std::int64_t tensor_bits;     ///< once per tensor (NVFP4: one FP32 scale)
  /// Paths on which this format's values can be multiplied without loss, natively or expanded,
  /// narrowest first. Those of FormatKind::microscaling below 16 bits need a device that multiplies
  /// block-scaled operands. cost/roofline finds the path of a product among those of both operands.
  std::span<const ComputePath> paths;
  /// Paths that round its values, as engines do where the device has nothing as narrow that holds
  /// them: FP16 on BF16.
  std::span<const ComputePath> rounding_paths;
  bool native_operand;  ///< false: no hardware multiplies it, it is expanded first (NF4, GGUF)
  std::span<const std::string_view> aliases;
  std::string_view source;
};

/// The whole table, in the order in which `roofcast precisions` prints it.
std::span<const NumberFormat> number_formats();

/// By name or alias, case-insensitive; nullptr when unknown.
const NumberFormat* find_number_format(std::string_view name);
/// @throws UsageError  naming the nearest formats, or the type behind a mixture such as "q4_k_m"
const NumberFormat& number_format(std::string_view name);

/// Bits of one element with all overheads, in blocks that are full [bit].
double effective_bits(const NumberFormat& format);

/// Bits of one row of `columns` elements on its own, in whole blocks, without what is shared with
/// other rows (second-level and tensor-wide scales) [bit]: a head's K in the cache, a token's
/// embedding.
std::int64_t row_bits(const NumberFormat& format, std::int64_t columns);

struct StorageBytes {
  Bytes payload;   ///< the elements themselves
  Bytes overhead;  ///< scales and zero points
  [[nodiscard]] Bytes total() const { return payload + overhead; }
};

/// Exact storage of a [rows, columns] tensor; `columns` is the axis that a product sums over. Each
/// of the two parts is rounded up to whole bytes, once per tensor.
/// @throws ConfigError  when a size is not positive or the result passes 2^53 bytes
StorageBytes storage(const NumberFormat& format, std::int64_t rows, std::int64_t columns);

}  // namespace roofcast
