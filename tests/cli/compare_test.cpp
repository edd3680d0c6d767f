// `compare` through the command line.
#include <string>

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

}  // namespace

TEST_CASE("compare command: a row per candidate, with estimate's figures and relative times") {
  const Json answer = run_json("compare llama-3.1-8b --gpu a100-sxm4-80,h100-sxm5-80,h200-sxm-141");
  CHECK(answer.at("schema") == "roofcast/1");
  CHECK(answer.at("command") == "compare");
  const Json& rows = answer.at("rows");
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].at("name") == "h100-sxm5-80");
  const Json h100 = run_json("estimate llama-3.1-8b --gpu h100-sxm5-80");
  CHECK(rows[1].at("tpot_seconds") == h100.at("tpot_seconds"));
  CHECK(rows[1].at("total_bytes") == h100.at("memory").at("total_bytes"));
  // The H200 reads fastest; the others take so many times as long.
  CHECK(rows[2].at("decode_times_of_fastest") == 1);
  CHECK(near(rows[0].at("decode_times_of_fastest").get<double>(),
             rows[0].at("tpot_seconds").get<double>() / rows[2].at("tpot_seconds").get<double>(),
             1e-12));
  CHECK(answer.at("relative").size() == 2);
}

TEST_CASE("compare command: people read a column per candidate and a relative line") {
  const CliResult result =
      run_cli(split_words("compare llama-2-7b,llama-3.1-8b --gpu h100-sxm5-80"));
  CHECK(result.code == 0);
  CHECK(result.out.find("llama-2-7b  llama-3.1-8b\n") != std::string::npos);
  CHECK(result.out.find(" x as fast as llama-3.1-8b") != std::string::npos);
  const CliResult markdown =
      run_cli(split_words("compare llama-2-7b,llama-3.1-8b --gpu h100-sxm5-80 --format md"));
  CHECK(markdown.out.find("| candidate | llama-2-7b | llama-3.1-8b |\n|:--|--:|--:|\n") !=
        std::string::npos);
}

TEST_CASE("compare command: one candidate, the same one twice, or too many are refused") {
  const CliResult one = run_cli(split_words("compare llama-2-7b --gpu h100"));
  CHECK(one.code == 2);
  CHECK(one.err ==
        "roofcast: there is one candidate only; name two models, devices or formats to compare, as "
        "in --gpu a100-sxm4-80,h100-sxm5-80\n");
  const CliResult twice = run_cli(split_words("compare llama-2-7b --gpu h100,h100-sxm5-80"));
  CHECK(twice.code == 2);
  CHECK(twice.err ==
        "roofcast: two candidates are the same: llama-2-7b on nvidia-h100-sxm5-80gb, weights fp16, "
        "activations fp16, kv fp16\n");
  const CliResult many = run_cli(
      split_words("compare llama-2-7b,llama-3.1-8b --gpu h100,a100,h200 --weights auto,fp8,int8"));
  CHECK(many.code == 2);
  CHECK(many.err ==
        "roofcast: 2 x 3 x 3 candidates are more than 12 columns; 'roofcast sweep' takes the same "
        "lists and ranks them\n");
}

}  // namespace roofcast
