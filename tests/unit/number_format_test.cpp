#include "roofcast/model/number_format.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::near;

namespace {

/// Bits per element with all overheads, and bytes of one whole block where the source gives them.
struct Published {
  std::string_view name;
  double bits;
  std::int64_t block_elements;
  std::int64_t block_bytes;
};

// Sources: OCP MX v1.0 (FP6, FP4, MXFP*), NVIDIA PTX ISA (FP8 to FP64, INT8, INT4), NVIDIA NVFP4
// documentation, DeepSeek-V3 config.json (128 x 128), QLoRA paper: 4 + 8/64 + 32/(64 x 256)
// = 4.127.
constexpr Published kFormats[] = {
    {"fp64", 64, 1, 8},        {"fp32", 32, 1, 4},         {"tf32", 32, 1, 4},
    {"fp16", 16, 1, 2},        {"bf16", 16, 1, 2},         {"fp8_e4m3", 8, 1, 1},
    {"fp8_e5m2", 8, 1, 1},     {"fp6_e2m3", 6, 4, 3},      {"fp6_e3m2", 6, 4, 3},
    {"fp4_e2m1", 4, 2, 1},     {"int8", 8, 1, 1},          {"int4", 4, 2, 1},
    {"mxfp8", 8.25, 32, 33},   {"mxfp6", 6.25, 32, 25},    {"mxfp4", 4.25, 32, 17},
    {"int4_g32", 4.5, 32, 18}, {"int4_g64", 4.25, 64, 34}, {"int4_g128", 4.125, 128, 66},
};

// sizeof of each block_<type> in ggml-org/ggml src/ggml-common.h @d99724f.
constexpr Published kGgmlTypes[] = {
    {"f32", 32, 1, 4},
    {"f16", 16, 1, 2},
    {"q4_0", 4.5, 32, 18},
    {"q4_1", 5, 32, 20},
    {"q5_0", 5.5, 32, 22},
    {"q5_1", 6, 32, 24},
    {"q8_0", 8.5, 32, 34},
    {"q8_1", 9, 32, 36},
    {"q2_k", 2.625, 256, 84},
    {"q3_k", 3.4375, 256, 110},
    {"q4_k", 4.5, 256, 144},
    {"q5_k", 5.5, 256, 176},
    {"q6_k", 6.5625, 256, 210},
    {"q8_k", 9.125, 256, 292},
    {"iq2_xxs", 2.0625, 256, 66},
    {"iq2_xs", 2.3125, 256, 74},
    {"iq3_xxs", 3.0625, 256, 98},
    {"iq1_s", 1.5625, 256, 50},
    {"iq4_nl", 4.5, 32, 18},
    {"iq3_s", 3.4375, 256, 110},
    {"iq2_s", 2.5625, 256, 82},
    {"iq4_xs", 4.25, 256, 136},
    {"i8", 8, 1, 1},
    {"i16", 16, 1, 2},
    {"i32", 32, 1, 4},
    {"i64", 64, 1, 8},
    {"f64", 64, 1, 8},
    {"iq1_m", 1.75, 256, 56},
    {"bf16", 16, 1, 2},
    {"tq1_0", 1.6875, 256, 54},
    {"tq2_0", 2.0625, 256, 66},
    {"gguf_mxfp4", 4.25, 32, 17},
    {"gguf_nvfp4", 4.5, 64, 36},
    {"q1_0", 1.125, 128, 18},
    {"q2_0", 2.25, 64, 18},
};

void check_published(const Published& want) {
  CAPTURE(want.name);
  const NumberFormat& format = number_format(want.name);
  CHECK(effective_bits(format) == want.bits);
  CHECK(storage(format, 1, want.block_elements).total() == bytes(want.block_bytes));
  // One element more starts the next block.
  CHECK(storage(format, 1, want.block_elements + 1).total() == bytes(2 * want.block_bytes));
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::string message_of(std::string_view name) {
  try {
    number_format(name);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

StorageBytes stored(std::string_view name, std::int64_t rows, std::int64_t columns) {
  return storage(number_format(name), rows, columns);
}

}  // namespace

TEST_CASE("number formats: width and block of each format as its source defines them") {
  for (const Published& want : kFormats)
    check_published(want);
}

TEST_CASE("number formats: all 35 types of ggml, block for block") {
  CHECK(std::size(kGgmlTypes) == 35);
  for (const Published& want : kGgmlTypes)
    check_published(want);
}

TEST_CASE("number formats: widths of formats whose blocks are no whole bytes or no rows") {
  // FP16 scale and packed zero point per group: (16 + 4) / 128, (16 + 8) / 128, (16 + 3) / 128.
  CHECK(effective_bits(number_format("int4_g128_zp")) == 4.15625);
  CHECK(effective_bits(number_format("int4_g64_zp")) == 4 + 20.0 / 64);
  CHECK(effective_bits(number_format("int4_g32_zp")) == 4 + 20.0 / 32);
  CHECK(effective_bits(number_format("int8_g128_zp")) == 8.1875);
  CHECK(near(effective_bits(number_format("int3_g128_zp")), 3.14844, 1e-5));
  // 4 + 8/16; the FP32 scale of the tensor vanishes in a large one.
  CHECK(effective_bits(number_format("nvfp4")) == 4.5);
  CHECK(effective_bits(number_format("nf4")) == 4.5);
  CHECK(effective_bits(number_format("fp4_bnb")) == 4.5);
  CHECK(near(effective_bits(number_format("nf4_dq")), 4.127, 1e-4));
  // 8 + 32 / 16384.
  CHECK(near(effective_bits(number_format("fp8_block128")), 8.001953, 1e-6));
}

TEST_CASE("number formats: every name and alias is unique and found in any case") {
  std::set<std::string> seen;
  for (const NumberFormat& format : number_formats()) {
    std::vector<std::string_view> names(format.aliases.begin(), format.aliases.end());
    names.push_back(format.name);
    for (const std::string_view name : names) {
      CAPTURE(name);
      CHECK(seen.insert(upper(name)).second);
      CHECK(find_number_format(name) == &format);
      CHECK(find_number_format(upper(name)) == &format);
    }
  }
  CHECK(number_formats().size() >= 57);
}

TEST_CASE("number formats: the short names that people type") {
  struct Typed {
    std::string_view typed;
    std::string_view name;
  };
  const Typed names[] = {
      {"fp8", "fp8_e4m3"},      {"e4m3", "fp8_e4m3"},
      {"half", "fp16"},         {"float16", "fp16"},
      {"bfloat16", "bf16"},     {"NF4", "nf4"},
      {"w4", "int4_g128"},      {"awq", "int4_g128_zp"},
      {"GPTQ", "int4_g128_zp"}, {"float", "fp32"},
      {"double", "fp64"},       {"fp4", "fp4_e2m1"},
      {"fp6", "fp6_e3m2"},      {"int8_g128", "int8_g128_zp"},
  };
  for (const Typed& each : names) {
    CAPTURE(each.typed);
    CHECK(number_format(each.typed).name == each.name);
  }
}

TEST_CASE("number formats: an unknown name is answered with the nearest") {
  CHECK(find_number_format("fp7") == nullptr);
  CHECK(find_number_format("") == nullptr);
  CHECK(message_of("mxpf4").find("unknown number format 'mxpf4'; did you mean 'mxfp4'") == 0);
}

TEST_CASE("number formats: names of mixed GGUF files are refused with their main type") {
  CHECK(message_of("Q4_K_M") ==
        "'Q4_K_M' names GGUF files that mix tensor types, not one number format; most of their "
        "tensors are 'q4_k'");
  for (const std::string_view mixture : {"q2_k_s", "q3_k_s", "q3_k_m", "q3_k_l", "q4_k_s", "q4_k_m",
                                         "q5_k_s", "q5_k_m", "iq2_m", "iq3_xs", "iq3_m"}) {
    CAPTURE(mixture);
    const std::string message = message_of(mixture);
    CHECK(find_number_format(mixture) == nullptr);
    // The type it points to exists.
    const std::size_t start = message.rfind(" '") + 2;
    CHECK(find_number_format(message.substr(start, message.size() - start - 1)) != nullptr);
  }
}

TEST_CASE("storage: a row of 100 elements in blocks of 32 takes 4 blocks") {
  // 4 x 17 B; 100 x 4.25 / 8 = 53.125 B would forget the rest of the last block.
  CHECK(stored("mxfp4", 1, 100).total() == bytes(68.0));
  CHECK(stored("mxfp4", 1, 100).payload == bytes(64.0));
  CHECK(stored("mxfp4", 1, 100).overhead == bytes(4.0));
  // Per row: 7 rows of 4 blocks, not 700 / 32 = 22 blocks.
  CHECK(stored("mxfp4", 7, 100).total() == bytes(7 * 68.0));
  CHECK(stored("q8_0", 3, 100).total() == bytes(3 * 4 * 34.0));
}

TEST_CASE("storage: zero points of GPTQ and AWQ are packed") {
  // The files of a 4096 x 4096 layer: qzeros I32 [32, 512] 65,536 B, scales FP16 [32, 4096] 262,144
  // B.
  CHECK(stored("gptq", 4096, 4096).payload == bytes(8'388'608.0));
  CHECK(stored("gptq", 4096, 4096).overhead == bytes(65'536.0 + 262'144.0));
  CHECK(stored("int4_g128", 4096, 4096).overhead == bytes(262'144.0));
  // 3 bits: one group of 128 is 384 + 16 + 3 bits: 48 B and, rounded up once, 3 B.
  CHECK(stored("int3_g128_zp", 1, 128).payload == bytes(48.0));
  CHECK(stored("int3_g128_zp", 1, 128).overhead == bytes(3.0));
  // 8 groups of 19 bits are 152 bits, 19 B: rounded per tensor, not per group.
  CHECK(stored("int3_g128_zp", 8, 128).overhead == bytes(19.0));
}

TEST_CASE("storage: NVFP4 has one FP32 scale per tensor") {
  CHECK(stored("nvfp4", 4096, 4096).payload == bytes(8'388'608.0));
  CHECK(stored("nvfp4", 4096, 4096).overhead == bytes(4096.0 * 4096 / 16 + 4));
  CHECK(stored("gguf_nvfp4", 4096, 4096).overhead == bytes(4096.0 * 4096 / 16));
}

TEST_CASE("storage: bitsandbytes blocks run over rows") {
  // 10 rows of 100: 1,000 elements in 16 blocks of 64, not 20; the elements are not padded.
  CHECK(stored("nf4", 10, 100).payload == bytes(500.0));
  CHECK(stored("nf4", 10, 100).overhead == bytes(64.0));
  CHECK(stored("nf4", 1, 1).payload == bytes(1.0));
  // Double quantisation: a byte per block and an FP32 number per 256 blocks, begun ones whole.
  CHECK(stored("nf4_dq", 4096, 4096).overhead == bytes(262'144.0 + 1'024 * 4));
  CHECK(stored("nf4_dq", 10, 100).overhead == bytes(16.0 + 4));
  CHECK(stored("nf4_dq", 64, 257).overhead == bytes(257.0 + 2 * 4));
}

TEST_CASE("storage: ragged tiles of FP8 have their scale, their elements are not padded") {
  // DeepSeek-V3 kv_a: 576 x 7168 has 5 x 56 scales (576 / 128 = 4.5).
  CHECK(stored("fp8_block128", 576, 7168).payload == bytes(576.0 * 7168));
  CHECK(stored("fp8_block128", 576, 7168).overhead == bytes(5 * 56 * 4.0));
  CHECK(stored("fp8_block128", 1, 1).total() == bytes(5.0));
}

TEST_CASE("storage: the row of a KV cache or of a token table on its own") {
  CHECK(row_bits(number_format("fp16"), 128) == 2048);
  CHECK(row_bits(number_format("q8_0"), 100) == 4 * 34 * 8);
  CHECK(row_bits(number_format("int4"), 5) == 24);
  CHECK(row_bits(number_format("nvfp4"), 64) == 4 * 72);
  CHECK(row_bits(number_format("fp8_block128"), 200) == 200 * 8 + 2 * 32);
}

TEST_CASE("storage: sizes that cannot be are refused, the largest exact ones are not") {
  constexpr std::int64_t kTwo53 = 9'007'199'254'740'992;
  const NumberFormat& int8 = number_format("int8");
  CHECK(storage(int8, 1, kTwo53).total() == bytes(kTwo53));
  CHECK_THROWS_AS(storage(int8, 2, kTwo53), ConfigError);
  CHECK_THROWS_AS(storage(int8, kTwo53, kTwo53), ConfigError);
  CHECK_THROWS_AS(storage(int8, 1, kTwo53 + 1), ConfigError);
  CHECK_THROWS_AS(storage(int8, 0, 1), ConfigError);
  CHECK_THROWS_AS(storage(int8, 1, 0), ConfigError);
  CHECK_THROWS_AS(storage(int8, -1, 1), ConfigError);
  CHECK_THROWS_AS(storage(number_format("fp8_block128"), kTwo53, kTwo53), ConfigError);
  CHECK_THROWS_AS(storage(number_format("nf4_dq"), kTwo53, kTwo53), ConfigError);
}

TEST_CASE("compute paths: every format ends on vector units, and none sums in 16 bits") {
  for (const NumberFormat& format : number_formats()) {
    CAPTURE(format.name);
    CHECK(std::find(format.paths.begin(), format.paths.end(), ComputePath::fp8_acc16) ==
          format.paths.end());
    // FP64 and FP32 vector units are everywhere, so nothing is left without a path.
    const ComputePath last = format.paths.back();
    CHECK((last == ComputePath::fp64_vector || last == ComputePath::fp32_vector));
  }
}

TEST_CASE("compute paths: the native one first, then the next wider") {
  const auto paths_of = [](std::string_view name) { return number_format(name).paths; };
  CHECK(paths_of("fp16")[0] == ComputePath::fp16_tensor);
  CHECK(paths_of("fp16")[1] == ComputePath::fp16_vector);
  CHECK(paths_of("bf16")[0] == ComputePath::bf16_tensor);
  // Volta and Turing have no BF16: FP32, since FP16 does not hold its range.
  for (const ComputePath path : paths_of("bf16"))
    CHECK((path != ComputePath::fp16_tensor && path != ComputePath::fp16_vector));
  CHECK(paths_of("fp8")[0] == ComputePath::fp8_tensor);
  CHECK(paths_of("fp8")[1] == ComputePath::bf16_tensor);
  CHECK(paths_of("mxfp4")[0] == ComputePath::fp4_tensor);
  CHECK(paths_of("mxfp4")[1] == ComputePath::fp6_tensor);  // E2M3 holds E2M1
  CHECK(paths_of("mxfp4")[2] == ComputePath::fp8_tensor);
  CHECK(paths_of("fp6")[0] == ComputePath::fp6_tensor);
  CHECK(paths_of("int8")[0] == ComputePath::int8_tensor);
  CHECK(paths_of("int8")[1] == ComputePath::int8_vector);
  // Hopper and Blackwell have no INT4 path: INT8 is the next wider.
  CHECK(paths_of("int4")[0] == ComputePath::int4_tensor);
  CHECK(paths_of("int4")[1] == ComputePath::int8_tensor);
  // Codes that integer units multiply; the activations decide whether they do.
  CHECK(paths_of("int4_g128")[0] == ComputePath::int8_tensor);
  CHECK(paths_of("q4_k")[0] == ComputePath::int8_tensor);
  CHECK(paths_of("nf4")[0] == ComputePath::bf16_tensor);
  // FP16 on BF16 loses three significant bits: apart.
  CHECK(number_format("fp16").rounding_paths[0] == ComputePath::bf16_tensor);
  CHECK(number_format("bf16").rounding_paths.empty());
}
