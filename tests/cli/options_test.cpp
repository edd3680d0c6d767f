// What options of the command line mean together, and what is refused with which reason.
#include <string>

#include "support/run_cli.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

using test::CliResult;
using test::run_cli;
using test::split_words;

void refused(const std::string& line, const std::string& message) {
  INFO(line);
  const CliResult result = run_cli(split_words(line));
  INFO(result.err);
  CHECK(result.code == 2);
  CHECK(result.out.empty());
  CHECK(result.err.find(message) != std::string::npos);
}

}  // namespace

// The contract's defaults may be stated.
TEST_CASE("options: a layout of one device is accepted, any other refused") {
  const std::string plain = run_cli(split_words("estimate llama-2-7b --gpu h100")).out;
  REQUIRE_FALSE(plain.empty());
  CHECK(run_cli(split_words("estimate llama-2-7b --gpu h100 --tp 1 --pp=1 --ep 1 --dp 1")).out ==
        plain);
  for (const char* line :
       {"estimate llama-2-7b --gpu h100 --tp 2", "estimate llama-2-7b --gpu h100 --pp=8",
        "estimate llama-2-7b --gpu h100 --ep", "memory llama-2-7b --gpu h100 --dp 0",
        "models --tp 1"}) {
    refused(line, "parallel layouts are not part of this version");
  }
  refused("estimate llama-2-7b --gpu h100 -- --tp 1", "unexpected argument");
}

// The prompt is part of the context: without one it is as long as the context lets it be.
TEST_CASE("options: the prompt of memory is within its context") {
  const auto prompt_of = [](const std::string& options) {
    return test::run_json("memory llama-2-7b " + options)["workload"]["prompt_tokens"];
  };
  CHECK(prompt_of("--context 1000") == 1000);
  CHECK(prompt_of("--context 4096") == 2048);
  CHECK(prompt_of("--context 1000 --prompt 1000") == 1000);
  CHECK(prompt_of("--prompt 100") == 100);
  CHECK(prompt_of("") == 2048);
  const std::string table = run_cli(split_words("memory llama-2-7b --context 1000")).out;
  CHECK(table.find(" prompt 1,000 ") != std::string::npos);
  refused("memory llama-2-7b --context 1000 --prompt 2048",
          "--prompt: 2,048 tokens are more than the --context of 1,000");
}

// One answer is about one of each; the commands that take lists are named.
TEST_CASE("options: a list where one is asked for names the commands that take several") {
  for (const char* line :
       {"estimate llama-2-7b --gpu a100,h100", "memory llama-2-7b --gpu a100,h100",
        "estimate llama-2-7b,gpt2 --gpu h100", "estimate llama-2-7b --gpu h100 --weights auto,fp8",
        "memory llama-2-7b --kv fp8,fp16", "explain tpot llama-2-7b --gpu h100 --head bf16,fp8"}) {
    refused(line, "takes one; 'roofcast compare' and 'roofcast sweep' take several");
  }
}

TEST_CASE("options: ranges that lead nowhere say how one is written") {
  const std::string sweep = "sweep llama-2-7b --gpu h100 --batch ";
  refused(sweep + "'1..256*1'", "--batch: the factor of '1..256*1' must be at least 2");
  refused(sweep + "'1..256+0'", "--batch: the step of '1..256+0' must be at least 1");
  for (const char* range : {"1..", "..4", "1..*2", "1..4*", ".."})
    refused(sweep + "'" + range + "'", "is no range; write for example 1..9, 1..9+2 or 1..256*2");
}

TEST_CASE("options: a scheme that a cache cannot hold is refused with the reason") {
  refused("estimate llama-2-7b --gpu h100 --kv int4_g128",
          "'int4_g128' cannot be the format of the KV cache");
}

}  // namespace roofcast
