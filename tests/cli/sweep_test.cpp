// `sweep` through the command line: what it prints, and what it refuses.
#include "roofcast/plan/sweep_columns.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_cli.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

using Json = nlohmann::json;
using test::CliResult;
using test::run_cli;
using test::run_json;
using test::split_words;

CliResult run_line(const std::string& line) {
  return run_cli(split_words(line));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::size_t commas(const std::string& line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
}

const std::string kSmall =
    "sweep llama-2-7b --gpu a100-sxm4-80,h100 --weights auto,int8 --batch 1..8*2 --output 1,64";

}  // namespace

TEST_CASE("sweep command: CSV has a header of keys and every row") {
  const CliResult result = run_line(kSmall + " --format csv");
  CHECK(result.code == 0);
  CHECK(result.err == "");
  const auto lines = lines_of(result.out);
  REQUIRE(lines.size() == 1 + 2 * 2 * 4 * 2);
  std::string header;
  for (const SweepColumn& column : sweep_columns())
    header.append(header.empty() ? "" : ",").append(column.key);
  CHECK(lines[0] == header);
  for (const std::string& line : lines)
    CHECK(commas(line) == commas(header));
}

TEST_CASE("sweep command: --by alone sorts a small sweep") {
  const std::string sweep = "sweep llama-2-7b --gpu a100-sxm4-80,h100 --output 64 --by tpot ";
  const Json rows = run_json(sweep + "--weights auto,int8 --batch 1..8*2").at("rows");
  REQUIRE(rows.size() == 16);
  for (std::size_t i = 1; i < rows.size(); ++i)
    CHECK(rows[i - 1].at("tpot_seconds") <= rows[i].at("tpot_seconds"));
  CHECK(run_line(sweep + "--batch 1..50001").err ==
        "roofcast: --by: 100,002 configurations are too many to sort; add --top N\n");
}

TEST_CASE("sweep command: rows carry the figures of estimate under its keys") {
  const Json sweep = run_json(kSmall);
  CHECK(sweep.at("schema") == "roofcast/1");
  CHECK(sweep.at("command") == "sweep");
  CHECK(sweep.at("configurations") == 32);
  REQUIRE(sweep.at("rows").size() == 32);
  for (const Json& row : sweep.at("rows")) {
    const auto text = [&row](const char* key) { return row.at(key).get<std::string>(); };
    const auto count = [&row](const char* key) {
      return std::to_string(row.at(key).get<std::int64_t>());
    };
    const Json alone = run_json("estimate " + text("model") + " --gpu " + text("gpu") +
                                " --weights " + text("weights") + " --batch " + count("batch") +
                                " --output " + count("output_tokens"));
    for (const char* key : {"ttft_seconds", "tpot_seconds", "e2e_seconds", "tokens_per_second",
                            "tokens_per_second_per_sequence"}) {
      CHECK(row.at(key) == alone.at(key));
    }
    for (const char* key : {"weights_bytes", "kv_cache_bytes", "total_bytes", "fits", "max_batch"})
      CHECK(row.at(key) == alone.at("memory").at(key));
    for (const char* key :
         {"bound_seconds", "low_seconds", "high_seconds", "limited_by", "mfu", "mbu"}) {
      CHECK(row.at("prefill").at(key) == alone.at("prefill").at(key));
      const Json& decode = alone.at("decode");
      CHECK(row.at("decode").at(key) == (decode.is_null() ? Json() : decode.at(key)));
    }
  }
}

TEST_CASE("sweep command: the shards of a CSV, one after the other, are the whole") {
  const std::string whole = run_line(kSmall + " --format csv").out;
  std::string joined = lines_of(whole)[0] + "\n";
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    const auto lines = lines_of(run_line(kSmall + " --format csv --shard " + part).out);
    for (std::size_t i = 1; i < lines.size(); ++i)
      joined += lines[i] + "\n";
  }
  CHECK(joined == whole);
}

TEST_CASE("sweep command: the count comes without evaluating") {
  // 10^15 configurations would take years.
  const Json answer = run_json(
      "sweep llama-2-7b --gpu h100 --batch 1..100000 --prompt 1..100000 --output 1..100000 "
      "--count");
  CHECK(answer.at("configurations") == 1'000'000'000'000'000);
  CHECK(answer.at("part_configurations") == 1'000'000'000'000'000);
  const Json part = run_json(kSmall + " --count --shard 1/5");
  CHECK(part.at("configurations") == 32);
  CHECK(part.at("part_configurations") == 7);
  CHECK(part.at("shard") == "1/5");
}

TEST_CASE("sweep command: a table shows fifty rows and says how to see the others") {
  const CliResult result =
      run_line("sweep llama-2-7b --gpu h100 --batch 1..60 --output 2 --runtime none");
  CHECK(result.code == 0);
  CHECK(result.out.find("10 rows more; --format csv or json prints every row, --top N --by "
                        "COLUMN\n      the best") != std::string::npos);
  CHECK(result.out.find("60 evaluated, 60 met the conditions, 50 shown") != std::string::npos);
}

TEST_CASE("sweep command: top and pareto print the best first") {
  const Json top = run_json(kSmall + " --top 3 --by tokens_per_second --where fits");
  const Json& rows = top.at("rows");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("tokens_per_second") >= rows[1].at("tokens_per_second"));
  CHECK(rows[1].at("tokens_per_second") >= rows[2].at("tokens_per_second"));
  CHECK(top.at("matched") == 32);
  const Json worst = run_json(kSmall + " --top 1 --by -tokens_per_second");
  CHECK(worst.at("rows")[0].at("tokens_per_second") < rows[2].at("tokens_per_second"));
  const Json front = run_json(kSmall + " --pareto total_bytes,tokens_per_second");
  REQUIRE(front.at("rows").size() > 1);
  for (std::size_t i = 1; i < front.at("rows").size(); ++i) {
    CHECK(front.at("rows")[i].at("total_bytes") > front.at("rows")[i - 1].at("total_bytes"));
    CHECK(front.at("rows")[i].at("tokens_per_second") >
          front.at("rows")[i - 1].at("tokens_per_second"));
  }
}

TEST_CASE("sweep command: what is skipped is counted, with its reason") {
  const Json answer = run_json("sweep gpt2 --gpu h100 --prompt 512,1024 --output 1,512");
  // GPT-2 has 1,024 positions: 513 and 1,024 tokens fit into them, 1,025 and 1,536 do not.
  CHECK(answer.at("evaluated") == 2);
  CHECK(answer.at("skipped_configurations") == 2);
  CHECK(answer.at("rows").size() == 2);
  REQUIRE(answer.at("skipped").size() == 1);
  CHECK(answer.at("skipped")[0].at("count") == 2);
  CHECK(answer.at("skipped")[0].at("reason") ==
        "prompt and output are longer than the 1,024 tokens that gpt2 can have");
}

TEST_CASE("sweep command: a CSV has rows alone, and what was skipped is a message") {
  const CliResult result =
      run_line("sweep gpt2 --gpu h100 --prompt 512,1024 --output 1,512 --format csv");
  CHECK(result.code == 0);
  CHECK(lines_of(result.out).size() == 1 + 2);
  CHECK(result.err ==
        "roofcast: warning: 2 skipped: prompt and output are longer than the 1,024 tokens that "
        "gpt2 can have\n");
}

TEST_CASE("sweep command: wrong usage is status 2 with one message, and prints no row") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--batch 1,2,1", "the sweep names batch 1 twice"},
      {"--batch 8..1", "--batch: the range '8..1' is empty; write the smaller number first"},
      {"--gpu h100,h100-sxm5-80", "the sweep names gpu nvidia-h100-sxm5-80gb twice"},
      {"--top 3", "--top needs --by, as in --top 10 --by tpot_seconds"},
      {"--top 3 --by tpot --pareto batch,tpot",
       "--top and --pareto ask for different rows; give one of them"},
      {"--top 0 --by tpot", "--top: 0 is out of range; give a whole number from 1 to 1,000,000"},
      {"--top 1 --by gpu",
       "--by: 'gpu' is text, which has no order; name a column of numbers, such as tpot_seconds"},
      {"--pareto tpot", "--pareto: name two columns, as in --pareto total_bytes,tpot_seconds"},
      {"--shard 2", "--shard: '2' is not I/N; write for example --shard 2/8"},
      {"--shard 9/8", "--shard: 9 is out of range; give a whole number from 1 to 8"},
      {"--shard 0/8", "--shard: 0 is out of range; give a whole number from 1 to 8"},
      {"--threads 0", "--threads: 0 is out of range; give a whole number from 1 to 1,024"},
      {"--where 'tpto<50 ms'", "--where 'tpto<50 ms': unknown column 'tpto'; did you mean 'tpot'?"},
      {"--batch 1..10000000 --prompt 1..10000000 --output 1..10000000",
       "the sweep has more than 9,007,199,254,740,992 configurations; shorten a list or take "
       "larger "
       "steps"},
  };
  for (const auto& [options, message] : cases) {
    const bool own_device = options.find("--gpu") != std::string::npos;
    const CliResult result =
        run_line("sweep llama-2-7b " + std::string(own_device ? "" : "--gpu h100 ") + options);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err == "roofcast: " + message + "\n");
  }
}

}  // namespace roofcast
