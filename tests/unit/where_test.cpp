#include "roofcast/plan/where.hpp"

#include "roofcast/base/error.hpp"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace roofcast {
namespace {

/// A sweep of one device under two formats, as far as text conditions look at it.
TextValues two_formats() {
  return {[](const SweepColumn& column, std::string_view wanted) -> std::optional<std::string> {
            if (column.key == "gpu" && (wanted == "h100" || wanted == "nvidia-h100-sxm5-80gb")) {
              return "nvidia-h100-sxm5-80gb";
            }
            if (column.key == "weights" && (wanted == "fp16" || wanted == "fp8_e4m3")) {
              return std::string(wanted);
            }
            return std::nullopt;
          },
          [](const SweepColumn& column) -> std::vector<std::string_view> {
            if (column.key == "gpu")
              return {"nvidia-h100-sxm5-80gb"};
            return {"fp16", "fp8_e4m3"};
          }};
}

Condition parse(std::string_view text) {
  return parse_condition(text, two_formats());
}

std::string problem_of(std::string_view text) {
  try {
    parse(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no problem";
}

/// A row of round numbers: TPOT 50 ms, batch 8 (160 tokens/s), 80 GB, does not fit.
SweepRow sample_row() {
  SweepRow row;
  row.model = "llama-2-7b";
  row.gpu = "nvidia-h100-sxm5-80gb";
  row.weights = "fp16";
  row.workload = {.batch = 8, .prompt = 2048, .output = 256};
  row.total = bytes(80e9);
  row.fits = false;
  row.ttft = seconds(0.25);
  row.tpot = seconds(0.05);
  row.e2e = seconds(13.0);
  row.prefill.ideal_compute = seconds(0.125);
  row.prefill.predicted = seconds(0.25);
  row.prefill.terms.compute = seconds(0.25);
  row.decode.terms.weights = seconds(0.05);
  row.decode.predicted = seconds(0.05);
  return row;
}

}  // namespace

TEST_CASE("where: conditions that hold and that do not on a row of round numbers") {
  const std::vector<std::pair<std::string, bool>> cases = {
      {"tpot_seconds<0.05", false},
      {"tpot_seconds<=0.05", true},
      {"tpot_seconds=0.05", true},
      {"tpot_seconds!=0.05", false},
      {"tpot_seconds>0.04999", true},
      {"tpot_seconds>=0.050001", false},
      {"tpot<50 ms", false},
      {"tpot <= 50 ms", true},
      {"  tpot  <  51 ms  ", true},
      {"tpot_seconds<51 ms", true},
      {"ttft>249999 us", true},
      {"e2e<13 s", false},
      // without the blank
      {"tpot<50ms", false},
      {"tpot<=50ms", true},
      {"total<=80GB", true},
      {"prefill.mfu>=50%", true},
      // as the tables head their columns
      {"TPOT<=50ms", true},
      {"memory<=80 GB", true},
      {"tok/s=160", true},
      // 80e9 B is 74.5 GiB: the two prefixes differ
      {"total<=80 GB", true},
      {"total<75 GiB", true},
      {"total<74 GiB", false},
      {"total_bytes<80000000001", true},
      {"batch=8", true},
      {"batch>8", false},
      {"prompt>=2048", true},
      {"prompt_tokens<2048", false},
      // 8 sequences every 50 ms
      {"tokens_per_second=160", true},
      {"tokens_per_second<160 tokens/s", false},
      {"tokens_per_second_per_sequence>19.9", true},
      // 0.125 of 0.25 s
      {"prefill.mfu>=0.5", true},
      {"prefill.mfu>=50 %", true},
      {"prefill.mfu>51 %", false},
      {"fits", false},
      {"fits=false", true},
      {"fits!=true", true},
      {"native", true},
      {"gpu=h100", true},
      {"gpu!=h100", false},
      {"weights=fp8_e4m3", false},
      {"weights!=fp8_e4m3", true},
  };
  const SweepRow row = sample_row();
  for (const auto& each : cases) {
    INFO(each.first);
    CHECK(parse(each.first).holds(row) == each.second);
  }
}

TEST_CASE("where: a value that a row does not have meets no condition") {
  SweepRow row = sample_row();
  row.tpot.reset();
  row.fits.reset();
  for (const char* text : {"tpot<1 s", "tpot>=0 s", "tpot_seconds!=1", "fits", "fits=false",
                           "max_batch>=0", "max_batch!=7", "decode.mbu<1", "tokens_per_second>0"}) {
    INFO(text);
    CHECK_FALSE(parse(text).holds(row));
  }
}

TEST_CASE("where: bad conditions get one whole message") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "--where '': names no column; write for example 'tpot < 50 ms'"},
      {"<50 ms", "--where '<50 ms': names no column; write for example 'tpot < 50 ms'"},
      {"tpto<50 ms", "--where 'tpto<50 ms': unknown column 'tpto'; did you mean 'tpot'?"},
      {"tpot", "--where 'tpot': has no comparison; only 'fits' and 'native' stand alone"},
      {"tpot<", "--where 'tpot<': has no value after the comparison"},
      {"tpot<< 5 ms",
       "--where 'tpot<< 5 ms': knows no such comparison; the comparisons are "
       "< <= > >= = !="},
      {"tpot==5 ms",
       "--where 'tpot==5 ms': knows no such comparison; the comparisons are "
       "< <= > >= = !="},
      {"tpot!5 ms",
       "--where 'tpot!5 ms': knows no such comparison; the comparisons are "
       "< <= > >= = !="},
      {"tpot=<5 ms",
       "--where 'tpot=<5 ms': knows no such comparison; the comparisons are "
       "< <= > >= = !="},
      {"tpot<0.05",
       "--where 'tpot<0.05': 'tpot' needs a unit, as in '50 ms'; 'tpot_seconds' takes "
       "a plain number"},
      {"total<80",
       "--where 'total<80': 'total' needs a unit, as in '80 GiB'; 'total_bytes' takes "
       "a plain number"},
      {"tpot<50msec", "--where 'tpot<50msec': '50msec' needs one space between number and unit"},
      {"tpot<-1 ms", "--where 'tpot<-1 ms': '-1 ms' must not be negative"},
      {"gpu<h100", "--where 'gpu<h100': 'gpu' has no order; compare it with = or !="},
      {"fits>true", "--where 'fits>true': 'fits' has no order; compare it with = or !="},
      {"fits=yes", "--where 'fits=yes': 'yes' is neither true nor false"},
      {"weights=fp9",
       "--where 'weights=fp9': no row of this sweep has weights 'fp9'; it can be "
       "fp16, fp8_e4m3"},
      {"weights=fp15",
       "--where 'weights=fp15': no row of this sweep has weights 'fp15'; did you "
       "mean 'fp16'?"},
      {"prefill.mfu>fast",
       "--where 'prefill.mfu>fast': 'fast' is no such value; write for example "
       "0.5 or 50 %"},
      {"tokens_per_second>nan",
       "--where 'tokens_per_second>nan': 'nan' is no such value; write for "
       "example 100 or 100 tokens/s"},
  };
  for (const auto& each : cases) {
    INFO(each.first);
    CHECK(problem_of(each.first) == each.second);
  }
}

TEST_CASE("where: numbers that are none are refused, whatever the column") {
  for (const char* text :
       {"tpot<50m",         "tpot<50xs",       "tpot<-1 ms",      "tpot<nan ms",
        "tpot<inf s",       "tpot<1e400 s",    "tpot<0x10 ms",    "tpot_seconds<",
        "tpot_seconds<nan", "tpot_seconds<-1", "total<80 GHz",    "total<80 gb",
        "batch<010",        "batch<1.5",       "batch<-1",        "batch<1e3",
        "batch<8 tokens",   "batch<8 batch<9", "prefill.mfu<0,5", "tpot<50 ms and fits"}) {
    INFO(text);
    CHECK(problem_of(text).starts_with("--where '"));
  }
}

TEST_CASE("where: far from every column the message lists them") {
  const std::string message = problem_of("zzzzzzzzzz>1");
  CHECK(
      message.starts_with("--where 'zzzzzzzzzz>1': unknown column 'zzzzzzzzzz'; the columns are "
                          "model, gpu, weights,"));
}

TEST_CASE("columns: keys and aliases are unique, and ordering follows what is better") {
  std::vector<std::string_view> names;
  for (const SweepColumn& column : sweep_columns()) {
    for (const std::string_view name : {column.key, column.alias}) {
      if (name.empty())
        continue;
      CHECK(std::find(names.begin(), names.end(), name) == names.end());
      names.push_back(name);
    }
    CHECK(column.is_text() == (column.text != nullptr));
    CHECK(column.is_text() == (column.number == nullptr));
  }
  CHECK(parse_ordering("--by", "tpot").ascending);
  CHECK_FALSE(parse_ordering("--by", "-tpot").ascending);
  CHECK_FALSE(parse_ordering("--by", "tokens_per_second").ascending);
  CHECK(parse_ordering("--by", "-tokens_per_second").ascending);
  CHECK_THROWS_WITH_AS(parse_ordering("--by", "gpu"),
                       "--by: 'gpu' is text, which has no order; name a column of numbers, such as "
                       "tpot_seconds",
                       UsageError);
  CHECK_THROWS_WITH_AS(parse_ordering("--pareto", "tpto"),
                       "--pareto: unknown column 'tpto'; did you mean 'tpot'?", UsageError);
}

}  // namespace roofcast
