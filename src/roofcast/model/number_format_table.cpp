#include "roofcast/model/number_format.hpp"

#include <array>
#include <cstddef>

namespace roofcast {
namespace {

using P = ComputePath;
using Paths = std::span<const ComputePath>;
using Names = std::span<const std::string_view>;

/// A string literal as a template argument, so that each row can list its aliases in place.
template <std::size_t N>
struct Literal {
  char text[N];                                  // NOLINT: a literal is an array
  consteval Literal(const char (&literal)[N]) {  // NOLINT: the conversion is the point
    for (std::size_t i = 0; i < N; ++i)
      text[i] = literal[i];
  }
};

template <Literal... Each>
inline constexpr std::array<std::string_view, sizeof...(Each)> kNames{
    std::string_view(Each.text, sizeof(Each.text) - 1)...};

template <std::size_t A, std::size_t B>
consteval std::array<P, A + B> join(const std::array<P, A>& first, const std::array<P, B>& second) {
  std::array<P, A + B> all{};
  for (std::size_t i = 0; i < A; ++i)
    all[i] = first[i];
  for (std::size_t i = 0; i < B; ++i)
    all[A + i] = second[i];
  return all;
}

// Narrowest first, each with the paths that hold its values.
//  * TF32 has the range and the significant bits of FP16 and BF16 together; FP16 lacks BF16's
//  range,
//    BF16 three of FP16's significant bits.
//  * FP16 holds FP8 E4M3 and E5M2 with their subnormals, and INT8; BF16 holds them too (8
//    significant bits, also those of an 8-bit code less its zero point).
//  * FP8 E4M3 (4 significant bits) holds FP6 and FP4 values and INT4 codes less a zero point; INT8
//    is no FP8 value, and neither are the entries of NF4's table. FP6 holds FP4 E2M1.
//  * GGUF codes are small integers, or tables of them, whose blocks llama.cpp multiplies in INT8
//    (vec_dot with Q8_1 or Q8_K); its scales are applied to the sums of a block.
constexpr std::array kFp64Paths{P::fp64_tensor, P::fp64_vector};
constexpr std::array kFp32Paths{P::fp32_tensor, P::fp32_vector, P::fp64_tensor, P::fp64_vector};
constexpr auto kTf32Paths = join(std::array{P::tf32_tensor}, kFp32Paths);
constexpr auto kBf16Paths = join(std::array{P::bf16_tensor, P::bf16_vector}, kTf32Paths);
constexpr auto kFp16Paths = join(std::array{P::fp16_tensor, P::fp16_vector}, kTf32Paths);
constexpr std::array kFp16Rounded{P::bf16_tensor, P::bf16_vector};
constexpr auto kSixteenBitPaths =
    join(std::array{P::bf16_tensor, P::fp16_tensor, P::fp16_vector, P::bf16_vector}, kTf32Paths);
constexpr auto kFp8Paths = join(std::array{P::fp8_tensor}, kSixteenBitPaths);
constexpr auto kFp6Paths = join(std::array{P::fp6_tensor}, kFp8Paths);
constexpr auto kFp4Paths = join(std::array{P::fp4_tensor}, kFp6Paths);
constexpr auto kInt8Paths = join(std::array{P::int8_tensor, P::int8_vector}, kSixteenBitPaths);
constexpr auto kInt4CodePaths =
    join(std::array{P::int8_tensor, P::int8_vector, P::fp8_tensor}, kSixteenBitPaths);
constexpr auto kInt4Paths = join(std::array{P::int4_tensor}, kInt4CodePaths);

constexpr std::string_view kIsa = "NVIDIA PTX ISA and architecture whitepapers";
constexpr std::string_view kOfp8 =
    "OCP 8-bit Floating Point Specification (OFP8) v1.0; NVIDIA PTX ISA";
constexpr std::string_view kMx = "OCP Microscaling Formats (MX) Specification v1.0";
constexpr std::string_view kNvfp4 = "NVIDIA NVFP4 documentation; PTX ISA, mxf4nvf4";
constexpr std::string_view kBlockFp8 = "DeepSeek-V3 config.json, weight_block_size [128, 128]";
constexpr std::string_view kQlora = "QLoRA (Dettmers et al. 2023); bitsandbytes functional.py";
constexpr std::string_view kMarlin =
    "compressed-tensors and Marlin, symmetric: FP16 scale per group";
constexpr std::string_view kGptq =
    "GPTQModel and AutoAWQ files: qweight, packed qzeros, FP16 scales";
constexpr std::string_view kGgml = "ggml-org/ggml src/ggml-common.h @d99724f";

/// What every row states; the layout follows.
consteval NumberFormat row(std::string_view name, std::string_view title, FormatKind kind,
                           double bits, Paths paths, Names aliases, std::string_view source) {
  return {.name = name,
          .title = title,
          .kind = kind,
          .element_bits = bits,
          .layout = BlockLayout::row,
          .block_elements = 1,
          .payload_bits = 0,
          .overhead_bits = 0,
          .group_blocks = 0,
          .group_bits = 0,
          .tensor_bits = 0,
          .paths = paths,
          .rounding_paths = {},
          .native_operand = kind != FormatKind::weight_only && kind != FormatKind::gguf,
          .aliases = aliases,
          .source = source};
}

/// One element after the other, `pack` of them in whole bytes.
consteval NumberFormat plain(std::string_view name, std::string_view title, FormatKind kind,
                             int bits, std::int64_t pack, Paths paths, Names aliases,
                             std::string_view source) {
  NumberFormat format = row(name, title, kind, bits, paths, aliases, source);
  format.block_elements = pack;
  format.payload_bits = bits * pack;
  return format;
}

/// FP16, the one format that engines round where a device lacks it.
consteval NumberFormat half(Names aliases) {
  NumberFormat format =
      plain("fp16", "FP16", FormatKind::floating, 16, 1, kFp16Paths, aliases, kIsa);
  format.rounding_paths = kFp16Rounded;
  return format;
}

/// Square tiles of FP8 with an FP32 scale each.
consteval NumberFormat tiled_fp8(std::string_view name, std::string_view title, std::int64_t side,
                                 Names aliases) {
  NumberFormat format = row(name, title, FormatKind::floating, 8, kFp8Paths, aliases, kBlockFp8);
  format.layout = BlockLayout::tile;
  format.block_elements = side;
  format.payload_bits = 8 * side * side;
  format.overhead_bits = 32;
  return format;
}

/// Blocks along a row with their own 8-bit scale, multiplied by hardware.
consteval NumberFormat micro(std::string_view name, std::string_view title, int bits,
                             std::int64_t block, int tensor_bits, Paths paths, Names aliases,
                             std::string_view source) {
  NumberFormat format = row(name, title, FormatKind::microscaling, bits, paths, aliases, source);
  format.block_elements = block;
  format.payload_bits = bits * block;
  format.overhead_bits = 8;
  format.tensor_bits = tensor_bits;
  return format;
}

/// Groups along a row with a 16-bit scale and, where `zero_bits` > 0, a zero point.
consteval NumberFormat grouped(std::string_view name, std::string_view title, int bits,
                               std::int64_t group, int zero_bits, Names aliases,
                               std::string_view source) {
  NumberFormat format = row(name, title, FormatKind::weight_only, bits,
                            bits > 4 ? Paths(kInt8Paths) : Paths(kInt4CodePaths), aliases, source);
  format.block_elements = group;
  format.payload_bits = bits * group;
  format.overhead_bits = 16 + zero_bits;
  return format;
}

/// 4-bit codes in blocks of 64 along the flattened tensor, each with a scale of `scale_bits`; with
/// `group_blocks` > 0 these scales are themselves scaled by an FP32 number per group.
consteval NumberFormat flat64(std::string_view name, std::string_view title, int scale_bits,
                              int group_blocks, Names aliases) {
  NumberFormat format =
      row(name, title, FormatKind::weight_only, 4, kSixteenBitPaths, aliases, kQlora);
  format.layout = BlockLayout::flat;
  format.block_elements = 64;
  format.payload_bits = std::int64_t{4} * 64;
  format.overhead_bits = scale_bits;
  format.group_blocks = group_blocks;
  format.group_bits = group_blocks > 0 ? 32 : 0;
  return format;
}

/// `block` elements in `bytes` bytes, of which `scale_bytes` are the struct's scales, minima and
/// sums; scale bits woven into the code words of the i-quants count as payload.
consteval NumberFormat ggml(std::string_view name, std::string_view title, double bits,
                            std::int64_t block, std::int64_t bytes, std::int64_t scale_bytes) {
  NumberFormat format = row(name, title, FormatKind::gguf, bits, kInt8Paths, {}, kGgml);
  format.block_elements = block;
  format.payload_bits = 8 * (bytes - scale_bytes);
  format.overhead_bits = 8 * scale_bytes;
  return format;
}

/// Whole numbers that no product reads: tables of indices in GGUF files.
consteval NumberFormat index(std::string_view name, std::string_view title, int bits,
                             Names aliases) {
  NumberFormat format = row(name, title, FormatKind::integer, bits, kFp32Paths, aliases, kGgml);
  format.payload_bits = bits;
  format.native_operand = false;
  return format;
}

constexpr FormatKind kFloat = FormatKind::floating;
constexpr FormatKind kInt = FormatKind::integer;

// clang-format off
constexpr auto kTable = std::to_array<NumberFormat>({
    plain("fp64", "FP64", kFloat, 64, 1, kFp64Paths, kNames<"double", "float64", "f64">, kIsa),
    plain("fp32", "FP32", kFloat, 32, 1, kFp32Paths,
          kNames<"float", "single", "float32", "f32">, kIsa),
    plain("tf32", "TF32, 19 bits in 32", kFloat, 32, 1, kTf32Paths, kNames<"tensorfloat32">, kIsa),
    half(kNames<"half", "float16", "f16">),
    plain("bf16", "BF16", kFloat, 16, 1, kBf16Paths, kNames<"bfloat16">, kIsa),
    plain("fp8_e4m3", "FP8 E4M3", kFloat, 8, 1, kFp8Paths,
          kNames<"fp8", "e4m3", "fp8_e4m3fn", "float8_e4m3fn", "f8_e4m3">, kOfp8),
    plain("fp8_e5m2", "FP8 E5M2", kFloat, 8, 1, kFp8Paths,
          kNames<"e5m2", "float8_e5m2", "f8_e5m2">, kOfp8),
    tiled_fp8("fp8_block128", "FP8 E4M3, 128x128 scales", 128, kNames<"fp8_block", "fp8_128x128">),
    plain("fp6_e2m3", "FP6 E2M3", kFloat, 6, 4, kFp6Paths, kNames<"e2m3", "f6_e2m3">, kMx),
    plain("fp6_e3m2", "FP6 E3M2", kFloat, 6, 4, kFp6Paths, kNames<"fp6", "e3m2", "f6_e3m2">, kMx),
    plain("fp4_e2m1", "FP4 E2M1", kFloat, 4, 2, kFp4Paths, kNames<"fp4", "e2m1", "f4">, kMx),
    plain("int8", "INT8", kInt, 8, 1, kInt8Paths, kNames<"i8">, kIsa),
    plain("int4", "INT4", kInt, 4, 2, kInt4Paths, kNames<"i4">, kIsa),

    micro("mxfp8", "MXFP8", 8, 32, 0, kFp8Paths, kNames<"mxfp8_e4m3", "mxfp8_e5m2">, kMx),
    micro("mxfp6", "MXFP6", 6, 32, 0, kFp6Paths, kNames<"mxfp6_e2m3", "mxfp6_e3m2">, kMx),
    micro("mxfp4", "MXFP4", 4, 32, 0, kFp4Paths, kNames<"mxfp4_e2m1", "gguf_mxfp4">, kMx),
    micro("nvfp4", "NVFP4", 4, 16, 32, kFp4Paths, kNames<"nvfp4_e2m1">, kNvfp4),

    flat64("nf4", "NF4", 32, 0, kNames<"bnb_nf4", "nf4_bnb64">),
    flat64("nf4_dq", "NF4, double-quantised", 8, 256, kNames<"nf4_double", "nf4_bnb64_double">),
    flat64("fp4_bnb", "FP4, bitsandbytes", 32, 0, kNames<"bnb_fp4", "fp4_bnb64">),
    grouped("int4_g32", "INT4, groups of 32", 4, 32, 0, kNames<"w4_g32">, kMarlin),
    grouped("int4_g64", "INT4, groups of 64", 4, 64, 0, kNames<"w4_g64">, kMarlin),
    grouped("int4_g128", "INT4, groups of 128", 4, 128, 0,
            kNames<"w4", "w4_g128", "marlin">, kMarlin),
    grouped("int4_g32_zp", "INT4, groups of 32, zeros", 4, 32, 4,
            kNames<"gptq_w4_g32", "awq_w4_g32">, kGptq),
    grouped("int4_g64_zp", "INT4, groups of 64, zeros", 4, 64, 4,
            kNames<"gptq_w4_g64", "awq_w4_g64">, kGptq),
    grouped("int4_g128_zp", "INT4, groups of 128, zeros", 4, 128, 4,
            kNames<"gptq", "awq", "gptq_w4_g128", "awq_w4_g128">, kGptq),
    grouped("int8_g128_zp", "INT8, groups of 128, zeros", 8, 128, 8,
            kNames<"int8_g128", "gptq_w8_g128">, kGptq),
    grouped("int3_g128_zp", "INT3, groups of 128, zeros", 3, 128, 3,
            kNames<"int3_g128", "gptq_w3_g128">, kGptq),

    // sizeof and fields of block_<type>; nominal widths as llama.cpp names them.
    ggml("q1_0", "GGUF Q1_0", 1, 128, 18, 2),
    ggml("q2_0", "GGUF Q2_0", 2, 64, 18, 2),
    ggml("q4_0", "GGUF Q4_0", 4, 32, 18, 2),
    ggml("q4_1", "GGUF Q4_1", 4, 32, 20, 4),
    ggml("q5_0", "GGUF Q5_0", 5, 32, 22, 2),
    ggml("q5_1", "GGUF Q5_1", 5, 32, 24, 4),
    ggml("q8_0", "GGUF Q8_0", 8, 32, 34, 2),
    ggml("q8_1", "GGUF Q8_1", 8, 32, 36, 4),
    ggml("q2_k", "GGUF Q2_K", 2, 256, 84, 20),
    ggml("q3_k", "GGUF Q3_K", 3, 256, 110, 14),
    ggml("q4_k", "GGUF Q4_K", 4, 256, 144, 16),
    ggml("q5_k", "GGUF Q5_K", 5, 256, 176, 16),
    ggml("q6_k", "GGUF Q6_K", 6, 256, 210, 18),
    ggml("q8_k", "GGUF Q8_K", 8, 256, 292, 36),
    ggml("iq1_s", "GGUF IQ1_S", 1.5, 256, 50, 2),
    ggml("iq1_m", "GGUF IQ1_M", 1.75, 256, 56, 8),
    ggml("iq2_xxs", "GGUF IQ2_XXS", 2, 256, 66, 2),
    ggml("iq2_xs", "GGUF IQ2_XS", 2, 256, 74, 10),
    ggml("iq2_s", "GGUF IQ2_S", 2, 256, 82, 10),
    ggml("iq3_xxs", "GGUF IQ3_XXS", 3, 256, 98, 2),
    ggml("iq3_s", "GGUF IQ3_S", 3, 256, 110, 6),
    ggml("iq4_nl", "GGUF IQ4_NL", 4, 32, 18, 2),
    ggml("iq4_xs", "GGUF IQ4_XS", 4, 256, 136, 8),
    ggml("tq1_0", "GGUF TQ1_0", 1.6, 256, 54, 2),
    ggml("tq2_0", "GGUF TQ2_0", 2, 256, 66, 2),
    ggml("gguf_nvfp4", "GGUF NVFP4", 4, 64, 36, 4),
    index("int16", "INT16", 16, kNames<"i16">),
    index("int32", "INT32", 32, kNames<"i32">),
    index("int64", "INT64", 64, kNames<"i64">),
});
// clang-format on

consteval bool rows_hold(const NumberFormat& f) {
  const std::int64_t elements =
      f.layout == BlockLayout::tile ? f.block_elements * f.block_elements : f.block_elements;
  const bool sizes = f.block_elements > 0 && f.payload_bits >= elements && f.overhead_bits >= 0 &&
                     f.group_blocks >= 0 && (f.group_blocks > 0) == (f.group_bits > 0) &&
                     f.tensor_bits >= 0 && f.element_bits > 0;
  const bool exact_payload =
      f.kind == FormatKind::gguf ||
      f.element_bits * static_cast<double>(elements) == static_cast<double>(f.payload_bits);
  return sizes && exact_payload && !f.paths.empty() && !f.name.empty() && !f.title.empty() &&
         !f.source.empty();
}

consteval bool table_holds() {
  for (const NumberFormat& format : kTable) {
    if (!rows_hold(format))
      return false;
  }
  return true;
}

static_assert(table_holds(), "a row whose sizes contradict each other, or with an empty text");

}  // namespace

std::span<const NumberFormat> number_formats() {
  return kTable;
}

}  // namespace roofcast
