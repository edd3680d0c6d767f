// The answers of `estimate` and `memory`, through the command line, against numbers that are
// derived here by hand.
#include <string>

#include "support/near.hpp"
#include "support/run_cli.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

using Json = nlohmann::json;
using test::near;
using test::run_json;

double number(const Json& json, const char* pointer) {
  return json.at(Json::json_pointer(pointer)).get<double>();
}

std::string text(const Json& json, const char* pointer) {
  return json.at(Json::json_pointer(pointer)).get<std::string>();
}

}  // namespace

TEST_CASE("estimate: Llama 2 7B on A100, parameters and bytes are exact") {
  const Json answer =
      run_json("estimate llama-2-7b --gpu a100-sxm4-80 --prompt 2048 --output 256 --batch 1");
  // meta-llama/Llama-2-7b-hf, model.safetensors.index.json: total_size 13476831232 bytes at 2 each.
  CHECK(number(answer, "/model/parameters/total") == 6738415616.0);
  CHECK(number(answer, "/model/parameters/active") == 6738415616.0);
  CHECK(number(answer, "/memory/weights_bytes") == 13476831232.0);
  // 32,000 x 4,096 rows of the token table.
  CHECK(number(answer, "/model/parameters/embedding") == 131072000.0);
  // 2 (K, V) x 32 layers x 32 heads x 128 x 2 B
  CHECK(number(answer, "/memory/kv_bytes_per_token") == 524288.0);
  CHECK(number(answer, "/workload/context_tokens") == 2304.0);
  CHECK(number(answer, "/memory/kv_cache_bytes") == 2304.0 * 524288.0);
  CHECK(text(answer, "/prefill/limited_by") == "compute");
  CHECK(text(answer, "/decode/limited_by") == "memory");
  CHECK(number(answer, "/decode/steps") == 255.0);
  CHECK(text(answer, "/hardware/name") == "nvidia-a100-sxm4-80gb");
  CHECK(text(answer, "/scheme/weights") == "fp16");
}

TEST_CASE("estimate: Llama 2 7B prefill of 2,048 tokens, bound by hand") {
  // Products: 2 FLOP for each of the 32 x (4 x 4096^2 + 3 x 4096 x 11008) = 6,476,005,376 weights
  // and each of 2,048 tokens = 26.526 TFLOP. Attention, causal: 4 x 32 layers x 4,096 x (2048 x
  // 2049 / 2) = 1.100 TFLOP. Logits of the last token: 2 x 4,096 x 32,000. Together 27.626 TFLOP;
  // A100: 312 TFLOP/s, H100 SXM: 989.4.
  const Json a100 = run_json("estimate llama-2-7b --gpu a100-sxm4-80 --prompt 2048 --output 2");
  const Json h100 = run_json("estimate llama-2-7b --gpu h100 --prompt 2048 --output 2");
  CHECK(near(number(a100, "/prefill/flop"), 27.626e12, 1e-4));
  CHECK(near(number(a100, "/prefill/bound_seconds"), 27.626e12 / 312e12, 5e-3));
  CHECK(near(number(h100, "/prefill/bound_seconds"), 27.626e12 / 989.4e12, 5e-3));
}

TEST_CASE("estimate: Llama 2 7B decode at 2,048 tokens of context, bound by hand") {
  // One step, whose context is the prompt and the new token. Read: all weights but the token table
  // (13,476,831,232 - 262,144,000 B) and the KV cache (2,048 x 524,288 B): 14.288 GB. The table
  // would add 1.8 %, more than the tolerance.
  const std::string workload = " --prompt 2047 --output 2";
  const Json a100 = run_json("estimate llama-2-7b --gpu a100-sxm4-80" + workload);
  const Json h100 = run_json("estimate llama-2-7b --gpu h100" + workload);
  const double read = 13476831232.0 - 262144000.0 + 2048.0 * 524288.0;
  CHECK(near(number(a100, "/decode/bytes"), read, 1e-4));
  CHECK(near(number(a100, "/decode/bound_seconds"), read / 2039e9, 1e-3));
  CHECK(near(number(h100, "/decode/bound_seconds"), read / 3350e9, 1e-3));
}

TEST_CASE("estimate: bound, prediction and band are in order, times add up") {
  const Json answer = run_json("estimate llama-2-7b --gpu a100-sxm4-80 --batch 8 --output 101");
  for (const char* phase : {"prefill", "decode"}) {
    const Json& figures = answer.at(phase);
    const double predicted = figures.at("seconds").get<double>();
    // The sums behind the two ends of the band round apart by a few units in the last place.
    constexpr double kRounding = 1e-12;
    CHECK(figures.at("bound_seconds").get<double>() <= predicted * (1 + kRounding));
    CHECK(figures.at("low_seconds").get<double>() <= predicted * (1 + kRounding));
    CHECK(figures.at("high_seconds").get<double>() >= predicted * (1 - kRounding));
    double terms = 0;
    for (const auto& term : figures.at("terms"))
      terms += term.get<double>();
    CHECK(near(terms, predicted, 1e-12));
  }
  // 101 output tokens are one prefill and 100 decode steps; TPOT leaves the first token out.
  const double ttft = number(answer, "/ttft_seconds");
  const double tpot = number(answer, "/tpot_seconds");
  CHECK(number(answer, "/decode/steps") == 100.0);
  CHECK(near(number(answer, "/e2e_seconds"), ttft + 100.0 * tpot, 1e-12));
  CHECK(near(number(answer, "/tokens_per_second"), 8.0 / tpot, 1e-12));
  CHECK(near(number(answer, "/tokens_per_second_per_sequence"), 1.0 / tpot, 1e-12));
}

TEST_CASE("estimate: one output token has no decode and no TPOT") {
  const Json answer = run_json("estimate llama-2-7b --gpu a100-sxm4-80 --output 1");
  CHECK(answer.at("decode").is_null());
  CHECK(answer.at("tpot_seconds").is_null());
  CHECK(answer.at("tokens_per_second").is_null());
  CHECK(number(answer, "/e2e_seconds") == number(answer, "/ttft_seconds"));
  const test::CliResult table =
      test::run_cli(test::split_words("estimate llama-2-7b --gpu a100-sxm4-80 --output 1 --ops"));
  CHECK(table.code == 0);
  CHECK(table.out.find("decode") != std::string::npos);  // the rate, as "-"
}

TEST_CASE("estimate: INT8 weights halve the bytes of the matrices and of nothing else") {
  // 6,476,005,376 weights in matrices go from 2 bytes to 1; table, head and norms stay.
  const Json answer = run_json("estimate llama-2-7b --gpu a100-sxm4-80 --weights int8");
  CHECK(number(answer, "/memory/weights_bytes") == 13476831232.0 - 6476005376.0);
  const Json all = run_json(
      "estimate llama-2-7b --gpu a100-sxm4-80 --weights int8 --embedding int8 --head int8");
  // All but the norms, (2 x 32 + 1) x 4,096 weights at 2 bytes.
  CHECK(number(all, "/memory/weights_bytes") == (6738415616.0 - 65 * 4096.0) + 65 * 4096.0 * 2);
}

TEST_CASE("estimate: weight-only quantisation cuts bytes and never raises the compute roof") {
  const Json wide = run_json("estimate llama-2-7b --gpu h100 --level spec");
  const Json narrow = run_json("estimate llama-2-7b --gpu h100 --level spec --weights int4_g128");
  CHECK(number(narrow, "/decode/bytes") < 0.4 * number(wide, "/decode/bytes"));
  CHECK(
      near(number(narrow, "/prefill/bound_seconds"), number(wide, "/prefill/bound_seconds"), 1e-9));
}

TEST_CASE("estimate: what does not fit is said, and --must-fit makes it the exit status") {
  // 68,976,648,192 parameters at 2 bytes are 137.95 GB; an A100 has 80.
  const std::string line = "estimate llama-2-70b --gpu a100-sxm4-80";
  const Json answer = run_json(line);
  CHECK_FALSE(answer.at("memory").at("fits").get<bool>());
  CHECK(number(answer, "/memory/max_batch") == 0.0);
  CHECK(answer.at("warnings").at(0).at("key").get<std::string>() == "does_not_fit");
  CHECK(test::run_cli(test::split_words(line)).code == 0);
  const test::CliResult asked = test::run_cli(test::split_words(line + " --must-fit"));
  CHECK(asked.code == 1);
  CHECK(asked.out.find("Does not fit") != std::string::npos);
  CHECK(asked.err.empty());
  CHECK(
      test::run_cli(test::split_words("estimate llama-2-7b --gpu a100-sxm4-80 --must-fit")).code ==
      0);
}

TEST_CASE("estimate: the operators add up to the phases") {
  const Json answer =
      run_json("estimate llama-2-7b --gpu a100-sxm4-80 --prompt 2048 --output 2 --ops");
  double flop = 0;
  double bytes = 0;
  for (const Json& row : answer.at("operators")) {
    if (row.at("phase").get<std::string>() != "prefill")
      continue;
    flop += row.at("flop").get<double>();
    bytes += row.at("bytes").get<double>();
  }
  CHECK(near(flop, number(answer, "/prefill/flop"), 1e-12));
  CHECK(near(bytes, number(answer, "/prefill/bytes"), 1e-12));
}

TEST_CASE("estimate: a model and a device by alias, driver's name and file") {
  const double want = number(run_json("estimate llama-2-7b --gpu h100"), "/decode/bound_seconds");
  const std::string root = ROOFCAST_SOURCE_DIR;
  for (const std::string& line :
       {std::string("estimate meta-llama/Llama-2-7b-hf --gpu 'NVIDIA H100 80GB HBM3'"),
        "estimate " + root + "/model_cards/llama-2-7b.yaml --gpu " + root +
            "/hw_profiles/nvidia-h100-sxm5-80gb.yaml",
        std::string("estimate LLAMA-2-7B --gpu h100x1")}) {
    CHECK(number(run_json(line), "/decode/bound_seconds") == want);
  }
}

TEST_CASE("memory: KV cache of published models, by hand") {
  // 2 x layers x KV heads x head width x 2 B: grouped queries shrink it, 70B to an eighth.
  CHECK(number(run_json("memory llama-2-7b"), "/memory/kv_bytes_per_token") ==
        2.0 * 32 * 32 * 128 * 2);
  CHECK(number(run_json("memory llama-2-70b"), "/memory/kv_bytes_per_token") == 327680.0);
  CHECK(number(run_json("memory llama-3.1-8b"), "/memory/kv_bytes_per_token") == 131072.0);
  // Llama 2 7B, batch 1 at 4,096 tokens: 2 GiB.
  CHECK(number(run_json("memory llama-2-7b --context 4096"), "/memory/kv_cache_bytes") ==
        2147483648.0);
  // FP8 K and V: half.
  CHECK(number(run_json("memory llama-2-7b --context 4096 --kv fp8_e4m3"),
               "/memory/kv_cache_bytes") == 1073741824.0);
}

TEST_CASE("memory: without a device what fits is unknown, with one the largest batch is exact") {
  const Json alone = run_json("memory llama-2-7b");
  for (const char* key :
       {"usable_bytes", "fits", "max_batch", "max_context", "kv_capacity_tokens"}) {
    CHECK(alone.at("memory").at(key).is_null());
  }
  CHECK(alone.at("hardware").at("name").is_null());
  const std::string line =
      "memory llama-2-7b --gpu a100-sxm4-80 --context 2048 --prompt 2048 --batch ";
  const auto largest = run_json(line + "1").at("memory").at("max_batch").get<std::int64_t>();
  CHECK(run_json(line + std::to_string(largest)).at("memory").at("fits").get<bool>());
  CHECK_FALSE(run_json(line + std::to_string(largest + 1)).at("memory").at("fits").get<bool>());
}

TEST_CASE("memory: the ledger adds up") {
  const Json memory = run_json("memory llama-3.1-8b --gpu h100 --batch 16").at("memory");
  double sum = 0;
  for (const char* key :
       {"weights_bytes", "kv_cache_bytes", "state_bytes", "activation_bytes", "runtime_bytes"}) {
    sum += memory.at(key).get<double>();
  }
  CHECK(near(sum, memory.at("total_bytes").get<double>(), 1e-12));
}

TEST_CASE("estimate and memory: every key of the contract is there") {
  const Json answer = run_json("estimate llama-2-7b --gpu a100-sxm4-80 --ops");
  for (const char* pointer : {"/schema",
                              "/command",
                              "/model/name",
                              "/model/family",
                              "/model/parameters/total",
                              "/model/parameters/active",
                              "/model/parameters/embedding",
                              "/model/layers",
                              "/model/context",
                              "/hardware/name",
                              "/hardware/count",
                              "/scheme/weights",
                              "/scheme/activations",
                              "/scheme/kv",
                              "/workload/batch",
                              "/workload/prompt_tokens",
                              "/workload/output_tokens",
                              "/workload/context_tokens",
                              "/layout/tp",
                              "/layout/pp",
                              "/layout/ep",
                              "/layout/dp",
                              "/memory/weights_bytes",
                              "/memory/kv_bytes_per_token",
                              "/memory/kv_cache_bytes",
                              "/memory/state_bytes",
                              "/memory/activation_bytes",
                              "/memory/runtime_bytes",
                              "/memory/total_bytes",
                              "/memory/usable_bytes",
                              "/memory/fits",
                              "/memory/max_batch",
                              "/memory/max_context",
                              "/memory/kv_capacity_tokens",
                              "/prefill/flop",
                              "/prefill/bytes",
                              "/prefill/bound_seconds",
                              "/prefill/seconds",
                              "/prefill/low_seconds",
                              "/prefill/high_seconds",
                              "/prefill/limited_by",
                              "/prefill/mfu",
                              "/prefill/mbu",
                              "/prefill/provenance",
                              "/decode/flop",
                              "/decode/bytes",
                              "/decode/bound_seconds",
                              "/decode/seconds",
                              "/decode/low_seconds",
                              "/decode/high_seconds",
                              "/decode/limited_by",
                              "/decode/mfu",
                              "/decode/mbu",
                              "/decode/provenance",
                              "/decode/steps",
                              "/ttft_seconds",
                              "/tpot_seconds",
                              "/e2e_seconds",
                              "/tokens_per_second",
                              "/tokens_per_second_per_sequence",
                              "/critical_batch",
                              "/operators/0/phase",
                              "/operators/0/name",
                              "/operators/0/kind",
                              "/operators/0/count",
                              "/operators/0/flop",
                              "/operators/0/bytes",
                              "/operators/0/intensity",
                              "/operators/0/bound_seconds",
                              "/operators/0/seconds",
                              "/operators/0/limited_by"}) {
    INFO(std::string(pointer));
    CHECK(answer.contains(Json::json_pointer(pointer)));
  }
  CHECK(text(answer, "/schema") == "roofcast/1");
  const Json memory = run_json("memory llama-2-7b --gpu a100-sxm4-80");
  for (const auto& [key, value] : answer.at("memory").items())
    CHECK(memory.at("memory").contains(key));
  for (const char* key : {"model", "hardware", "scheme", "workload", "layout"})
    CHECK(memory.contains(key));
}

}  // namespace roofcast
