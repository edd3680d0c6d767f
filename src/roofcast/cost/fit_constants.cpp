#include "roofcast/cost/fit_constants.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/cost/roofline.hpp"

#include <limits>

namespace roofcast {
namespace {

using K = OperatorKind;
using C = OperandClass;

constexpr double kMax = std::numeric_limits<double>::infinity();  // max(compute, memory)

// Kernel times of ai-dynamo/aiconfigurator, commit 095f58a (Apache-2.0); the engines are vLLM,
// SGLang and TensorRT-LLM. LLMServingSim: casys-kaist/LLMServingSim, commit 5daddb2 (MIT). Vidur:
// microsoft/vidur, commit 7d47513 (MIT).
constexpr std::string_view kHopper = "kernel tables of H100 and H200 (aiconfigurator)";
constexpr std::string_view kAmpere = "kernel tables of A100 (aiconfigurator)";
constexpr std::string_view kBlackwell = "kernel tables of B200 and GB200 (aiconfigurator)";
constexpr std::string_view kRtx = "kernel tables of RTX PRO 6000 (aiconfigurator, LLMServingSim)";
constexpr std::string_view kGeforce = "layer times of RTX 4090 (LLMServingSim)";
constexpr std::string_view kGa10x = "GEMM times of A40 (Vidur)";
constexpr std::string_view kAda = "published shares of peak of L40S (aiconfigurator)";
constexpr std::string_view kWeightOnly =
    "judged from weight-only products of A100 and decoding on RTX 4090";
constexpr std::string_view kStreams = "launch and stream times of A100 (gpu-benches)";
constexpr std::string_view kAmd =
    "best products (ml-engineering) and streams (gpu-benches) of MI300X";
constexpr std::string_view kCpu = "judged from CPU kernels; measure with calibrate";

// clang-format off
constexpr FitConstants kTable[] = {
//   set              kind                  operands          compute memory queries fixed  p     small         large          n
    {"hopper",        K::gemm,              C::wide,            0.787, 0.843, 0,     3.05, 2.53, {0.86, 1.49}, {0.91, 1.14}, 4009, kHopper},
    {"hopper",        K::gemm,              C::byte,            0.671, 0.813, 0,     4.16, 1.69, {0.68, 1.82}, {0.83, 1.45}, 3424, kHopper},
    {"hopper",        K::gemm,              C::byte_expanded,   0.787, 0.820, 0,     5.00, 1.30, {0.70, 1.80}, {0.75, 1.40},    0, kWeightOnly},
    {"hopper",        K::gemm,              C::nibble_expanded, 0.787, 0.800, 0,     5.00, 1.10, {0.70, 1.80}, {0.75, 1.40},    0, kWeightOnly},
    {"hopper",        K::attention_decode,  C::wide,            0.585, 0.848, 0.055, 11.49, kMax, {0.78, 1.55}, {0.78, 1.55}, 2235, kHopper},
    {"hopper",        K::attention_decode,  C::byte_expanded,   0.831, 0.606, 0.072, 12.91, kMax, {0.62, 1.63}, {0.62, 1.63}, 1641, kHopper},
    {"hopper",        K::attention_prefill, C::wide,            0.627, 0.848, 0.274, 13.05, kMax, {0.78, 1.57}, {0.78, 1.57}, 2189, kHopper},
    {"hopper",        K::attention_prefill, C::byte_expanded,   0.624, 0.606, 0.197, 16.07, kMax, {0.74, 1.63}, {0.74, 1.63},  915, kHopper},
    {"hopper",        K::attention_prefill, C::byte,            0.385, 0.606, 0.241, 15.19, kMax, {0.68, 1.64}, {0.68, 1.64},  956, kHopper},
    {"hopper",        K::stream,            C::wide,            0.900, 0.925, 0,     1.65, kMax, {0.78, 1.41}, {0.78, 1.41},  253, kHopper},
    {"hopper",        K::quantise,          C::byte,            0.900, 0.326, 0,     2.74, kMax, {0.68, 1.82}, {0.83, 1.45}, 3424, kHopper},

    {"ampere",        K::gemm,              C::wide,            0.806, 0.774, 0,     5.29, 1.69, {0.72, 1.26}, {0.88, 1.15}, 2038, kAmpere},
    {"ampere",        K::gemm,              C::byte,            0.901, 0.906, 0,    11.61, 1.00, {0.80, 1.31}, {0.80, 1.18},  224, kAmpere},
    {"ampere",        K::gemm,              C::byte_expanded,   0.857, 0.859, 0,    12.10, 1.28, {0.83, 1.54}, {0.91, 1.07},  227, kAmpere},
    {"ampere",        K::gemm,              C::nibble_expanded, 0.846, 0.839, 0,    13.54, 1.10, {0.75, 1.51}, {0.92, 1.22},  201, kAmpere},
    {"ampere",        K::attention_decode,  C::wide,            0.422, 0.609, 0.277, 17.13, kMax, {0.75, 1.52}, {0.75, 1.52},  947, kAmpere},
    {"ampere",        K::attention_prefill, C::wide,            0.583, 0.609, 0.267, 13.42, kMax, {0.67, 1.32}, {0.67, 1.32}, 1530, kAmpere},
    {"ampere",        K::stream,            C::wide,            0.900, 0.849, 0,     1.73, kMax, {0.56, 1.58}, {0.56, 1.58},    0, kStreams},

    {"ampere_ga10x",  K::gemm,              C::wide,            0.762, 0.793, 0,     3.76, 1.86, {0.92, 1.15}, {0.92, 1.15}, 2806, kGa10x},

    {"ada",           K::gemm,              C::wide,            0.570, 0.880, 0,     3.05, 2.53, {0.70, 1.62}, {0.75, 1.35},    0, kAda},
    {"ada",           K::gemm,              C::byte,            0.460, 0.780, 0,     4.16, 1.69, {0.68, 2.05}, {0.75, 1.45},    0, kAda},

    {"geforce",       K::gemm,              C::wide,            0.974, 0.952, 0,     5.66, 2.22, {0.83, 1.26}, {0.83, 1.26},   60, kGeforce},
    {"geforce",       K::stream,            C::wide,            0.900, 0.980, 0,     1.81, kMax, {0.37, 1.14}, {0.37, 1.14},   88, kGeforce},

    {"blackwell",     K::gemm,              C::wide,            0.654, 0.778, 0,     2.49, 2.46, {0.84, 1.76}, {0.91, 1.17}, 2513, kBlackwell},
    {"blackwell",     K::gemm,              C::byte,            0.600, 0.740, 0,     5.71, 1.94, {0.64, 1.70}, {0.82, 1.28}, 2295, kBlackwell},
    {"blackwell",     K::gemm,              C::nibble,          0.464, 0.663, 0,     3.93, 1.66, {0.67, 1.47}, {0.81, 1.22}, 1293, kBlackwell},
    {"blackwell",     K::attention_decode,  C::wide,            0.489, 0.934, 0.067, 10.55, kMax, {0.81, 1.39}, {0.81, 1.39}, 1696, kBlackwell},
    {"blackwell",     K::attention_decode,  C::byte_expanded,   0.099, 0.882, 0.064, 11.77, kMax, {0.83, 1.71}, {0.83, 1.71}, 1671, kBlackwell},
    {"blackwell",     K::attention_prefill, C::wide,            0.565, 0.934, 0.156, 13.85, kMax, {0.61, 1.65}, {0.61, 1.65}, 1258, kBlackwell},
    {"blackwell",     K::attention_prefill, C::byte_expanded,   0.684, 0.882, 0.127, 14.72, kMax, {0.66, 1.76}, {0.66, 1.76}, 1093, kBlackwell},
    {"blackwell",     K::attention_prefill, C::byte,            0.400, 0.882, 0.108, 16.72, kMax, {0.62, 1.56}, {0.62, 1.56},  751, kBlackwell},
    {"blackwell",     K::stream,            C::wide,            0.900, 0.705, 0,     2.13, kMax, {0.83, 1.23}, {0.83, 1.23},  256, kBlackwell},
    {"blackwell",     K::quantise,          C::byte,            0.900, 0.348, 0,     3.19, kMax, {0.64, 1.70}, {0.82, 1.28}, 2295, kBlackwell},
    {"blackwell",     K::quantise,          C::nibble,          0.900, 0.577, 0,     3.19, kMax, {0.67, 1.47}, {0.81, 1.22}, 1293, kBlackwell},

    {"blackwell_rtx", K::gemm,              C::wide,            0.844, 0.831, 0,     2.16, 1.63, {0.81, 1.72}, {0.83, 1.16}, 1416, kRtx},
    {"blackwell_rtx", K::gemm,              C::byte,            0.820, 0.826, 0,     6.14, 1.87, {0.64, 1.94}, {0.86, 1.40}, 1061, kRtx},
    {"blackwell_rtx", K::gemm,              C::nibble,          0.685, 0.618, 0,     4.68, 5.38, {0.69, 1.62}, {0.78, 1.21},  806, kRtx},
    {"blackwell_rtx", K::attention_decode,  C::wide,            0.104, 0.851, 0.273, 8.75, kMax, {0.58, 1.69}, {0.58, 1.69},  717, kRtx},
    {"blackwell_rtx", K::attention_decode,  C::byte_expanded,   0.140, 0.842, 0.250, 10.71, kMax, {0.73, 1.72}, {0.73, 1.72},  578, kRtx},
    {"blackwell_rtx", K::attention_prefill, C::wide,            0.617, 0.851, 0.412, 9.08, kMax, {0.57, 1.52}, {0.57, 1.52},  650, kRtx},
    {"blackwell_rtx", K::attention_prefill, C::byte_expanded,   0.540, 0.842, 0.772, 10.80, kMax, {0.66, 1.94}, {0.66, 1.94},  621, kRtx},
    {"blackwell_rtx", K::attention_prefill, C::byte,            0.200, 0.842, 0.289, 17.94, kMax, {0.50, 1.42}, {0.50, 1.42},  159, kRtx},
    {"blackwell_rtx", K::stream,            C::wide,            0.900, 0.980, 0,     1.70, kMax, {0.34, 1.34}, {0.34, 1.34},  567, kRtx},
    {"blackwell_rtx", K::quantise,          C::byte,            0.900, 0.499, 0,     2.18, kMax, {0.64, 1.94}, {0.86, 1.40}, 1061, kRtx},
    {"blackwell_rtx", K::quantise,          C::nibble,          0.900, 0.980, 0,     2.18, kMax, {0.69, 1.62}, {0.78, 1.21},  806, kRtx},

    {"cdna",          K::gemm,              C::wide,            0.500, 0.740, 0,     3.80, 2.50, {0.60, 2.00}, {0.70, 1.60},    0, kAmd},

    {"cpu",           K::gemm,              C::wide,            0.600, 0.650, 0,     5.00, 1.00, {0.70, 2.10}, {0.70, 2.10},    0, kCpu},
    {"cpu",           K::attention_decode,  C::wide,            0.300, 0.600, 0,     5.00, kMax, {0.70, 2.10}, {0.70, 2.10},    0, kCpu},
    {"cpu",           K::attention_prefill, C::wide,            0.300, 0.600, 0,     5.00, kMax, {0.70, 2.10}, {0.70, 2.10},    0, kCpu},
    {"cpu",           K::stream,            C::wide,            0.300, 0.600, 0,     2.00, kMax, {0.70, 2.10}, {0.70, 2.10},    0, kCpu},
    {"cpu",           K::quantise,          C::byte,            0.300, 0.600, 0,     2.00, kMax, {0.70, 2.10}, {0.70, 2.10},    0, kCpu},
};
// clang-format on

}  // namespace

std::string_view name(OperandClass operands) {
  switch (operands) {
    case C::wide:
      return "16 bit";
    case C::byte:
      return "8 bit";
    case C::nibble:
      return "4 bit";
    case C::byte_expanded:
      return "8 bit, expanded";
    case C::nibble_expanded:
      return "4 bit, expanded";
  }
  throw InternalError("an operand class without a name");
}

OperandClass operand_class(const Operator& op) {
  if (op.kind == OperatorKind::stream || op.element_bits >= 12)
    return C::wide;
  const bool byte = op.element_bits >= 6;
  // Decoding reads the same bytes whether or not they are expanded; a quantiser has no path.
  const bool expanded =
      op.kind == OperatorKind::attention_decode ||
      (op.kind != OperatorKind::quantise && operand_bits(op.path) > (byte ? 8 : 6));
  if (byte)
    return expanded ? C::byte_expanded : C::byte;
  return expanded ? C::nibble_expanded : C::nibble;
}

std::span<const FitConstants> fit_constants() {
  return kTable;
}

}  // namespace roofcast
