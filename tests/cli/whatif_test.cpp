// `whatif` through the command line.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/near.hpp"
#include "support/run_cli.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

using Json = nlohmann::json;
using test::CliResult;
using test::near;
using test::run_cli;
using test::run_json;
using test::split_words;

double sum_but_total(const Json& change, const std::string& total) {
  double sum = 0;
  for (const auto& [key, value] : change.items())
    sum += key == total ? 0.0 : value.get<double>();
  return sum;
}

double number(const Json& json, const char* key) {
  return json.at(key).get<double>();
}

}  // namespace

TEST_CASE(
    "whatif command: rows by gain, each change adding up to the difference of two estimates") {
  const std::string base = "llama-2-7b --gpu a100-sxm4-80 --batch 4";
  const Json answer = run_json("whatif " + base +
                               " --change batch=64 --change weights=int8 --change "
                               "weights=int4_g128,kv=int8");
  CHECK(answer.at("schema") == "roofcast/1");
  CHECK(answer.at("command") == "whatif");
  REQUIRE(answer.at("rows").size() == 3);
  const Json before = run_json("estimate " + base);
  CHECK(answer.at("base").at("tpot_seconds") == before.at("tpot_seconds"));
  const Json after =
      run_json("estimate llama-2-7b --gpu a100-sxm4-80 --batch 4 --weights int4_g128 --kv int8");
  const Json& best = answer.at("rows")[0];
  CHECK(best.at("change") == "weights=int4_g128,kv=int8");
  CHECK(best.at("tpot_seconds") == after.at("tpot_seconds"));
  CHECK(best.at("total_bytes") == after.at("memory").at("total_bytes"));
  double last = INFINITY;
  for (const Json& row : answer.at("rows")) {
    CHECK(number(row, "gain") <= last);
    last = number(row, "gain");
    CHECK(near(last, number(before, "tpot_seconds") / number(row, "tpot_seconds"), 1e-12));
    const Json& decode = row.at("decode_change");
    const double change = number(row, "tpot_seconds") - number(before, "tpot_seconds");
    CHECK(near(number(decode, "seconds"), change, 1e-9));
    CHECK(near(sum_but_total(decode, "seconds"), change, 1e-9));
    const Json& memory = row.at("memory_change");
    CHECK(sum_but_total(memory, "total_bytes") == number(memory, "total_bytes"));
  }
}

TEST_CASE("whatif command: alone it answers with schemes, a curve over the batch and its knee") {
  const Json answer = run_json("whatif llama-3.1-8b --gpu h100-sxm5-80");
  const std::int64_t limit = answer.at("base").at("max_batch").get<std::int64_t>();
  const std::int64_t knee = answer.at("knee").at("batch").get<std::int64_t>();
  std::vector<std::int64_t> batches;
  int schemes = 0;
  for (const Json& row : answer.at("rows")) {
    const auto change = row.at("change").get<std::string>();
    if (change.starts_with("batch=")) {
      batches.push_back(row.at("batch").get<std::int64_t>());
      CHECK(row.at("fits") == true);
    } else {
      ++schemes;
    }
  }
  CHECK(schemes >= 12);
  CHECK(batches.front() == 1);
  CHECK(batches.back() == limit);
  CHECK(std::find(batches.begin(), batches.end(), knee) != batches.end());
  CHECK(std::is_sorted(batches.begin(), batches.end()));
  // One more sequence than the largest batch does not fit.
  const Json more = run_json("whatif llama-3.1-8b --gpu h100-sxm5-80 --change batch=" +
                             std::to_string(limit + 1));
  CHECK(more.at("rows")[0].at("fits") == false);
}

TEST_CASE("whatif command: a model that does not fit has schemes and no curve") {
  const CliResult result = run_cli(split_words("whatif llama-2-70b --gpu rtx-4090"));
  CHECK(result.code == 0);
  CHECK(result.out.find("not even one sequence fits, so there is no curve over the batch") !=
        std::string::npos);
  const Json answer = run_json("whatif llama-2-70b --gpu rtx-4090");
  CHECK(answer.at("knee").at("batch").is_null());
}

TEST_CASE("whatif command: what cannot be has its reason, the rest its figures") {
  const Json answer =
      run_json("whatif llama-3.1-8b --gpu h100 --change gpu=apple-m5-32gb --change batch=2");
  REQUIRE(answer.at("rows").size() == 2);
  CHECK(answer.at("rows")[0].at("change") == "batch=2");
  CHECK(answer.at("rows")[0].at("problem").is_null());
  CHECK(answer.at("rows")[1].at("tpot_seconds").is_null());
  CHECK(answer.at("rows")[1].at("problem").get<std::string>().starts_with(
      "the peak of apple-m5-32gb in fp32_vector is not published"));
}

TEST_CASE("whatif command: wrong usage is status 2 with one message") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--change weight=fp8",
       "--change 'weight=fp8': unknown key 'weight'; did you mean 'weights'?"},
      {"--change batch=0", "--change 'batch=0': batch must be from 1 to 16,777,216"},
      {"--by speed",
       "--by: unknown metric 'speed'; the metrics are ttft, tpot, e2e, tokens_per_second, memory"},
      {"--output 1",
       "--by tpot: one output token takes no decode step; ask for --output 2 or more, or --by "
       "ttft"},
  };
  for (const auto& [options, message] : cases) {
    const CliResult result = run_cli(split_words("whatif llama-2-7b --gpu h100 " + options));
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err == "roofcast: " + message + "\n");
  }
  const CliResult prefill =
      run_cli(split_words("whatif llama-2-7b --gpu h100 --output 1 --by ttft --change batch=2"));
  CHECK(prefill.code == 0);
}

}  // namespace roofcast
