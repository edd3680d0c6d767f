#include "roofcast/plan/sweep.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/plan/row_evaluator.hpp"
#include "roofcast/plan/sweep_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/allocations.hpp"
#include "support/cards.hpp"
#include "support/forecast_fixtures.hpp"
#include "support/sweep_axes.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

SweepRequest whole(const SweepSpace& space, std::size_t threads = 2) {
  SweepRequest request;
  request.range = {0, space.size()};
  request.threads = threads;
  return request;
}

std::vector<SweepRow> rows_of(const SweepSpace& space, const SweepRequest& request) {
  std::vector<SweepRow> rows;
  sweep(space, request, [&rows](const SweepRow& row) { rows.push_back(row); });
  return rows;
}

std::vector<std::int64_t> indices_of(const std::vector<SweepRow>& rows) {
  std::vector<std::int64_t> indices;
  for (const SweepRow& row : rows)
    indices.push_back(row.index);
  return indices;
}

/// Names of the columns in which two rows differ, to the last bit.
std::string differences(const SweepRow& a, const SweepRow& b) {
  std::string names;
  for (const SweepColumn& column : sweep_columns()) {
    bool same = false;
    if (column.is_text()) {
      same = column.text(a) == column.text(b);
    } else {
      const double x = column.number(a);
      const double y = column.number(b);
      same = x == y || (std::isnan(x) && std::isnan(y));
    }
    if (!same)
      names.append(column.key).append(" ");
  }
  return names;
}

/// The forecast of one configuration, asked for alone.
SweepRow alone(const SweepSpace& space, std::int64_t index) {
  const SweepGroup group = space.group(index / space.group_size());
  ForecastRequest request;
  request.model = group.model;
  request.profile = group.device;
  request.plan = plan_precision(group.model->card, {.weights = std::string(group.weights),
                                                    .activations = std::string(group.activations),
                                                    .kv = std::string(group.kv)});
  request.workload = space.workload(index);
  request.runtime = group.runtime;
  request.level = space.settings().level;
  return row_of(forecast(request));
}

Condition condition(const SweepSpace& space, std::string_view text) {
  return parse_condition(text, space.text_values());
}

}  // namespace

TEST_CASE("sweep: every row equals the forecast of that configuration alone") {
  const SweepSpace space(test::small_axes(), {});
  // 2 models x 2 devices x 3 x 2 x 2 formats x 2 runtimes x 3 prompts x 3 outputs x 3 batches
  CHECK(space.size() == 2592);
  const std::vector<SweepRow> rows = rows_of(space, whole(space));
  REQUIRE(rows.size() == 2592);
  for (const SweepRow& row : rows)
    CHECK(differences(row, alone(space, row.index)) == "");
}

TEST_CASE("sweep: rows come in the order of their indices, batch fastest, model slowest") {
  const SweepSpace space(test::small_axes(), {});
  const std::vector<SweepRow> rows = rows_of(space, whole(space));
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK(rows[i].index == static_cast<std::int64_t>(i));
  CHECK(rows[0].workload.batch == 1);
  CHECK(rows[1].workload.batch == 3);
  CHECK(rows[2].workload.batch == 64);
  CHECK(rows[3].workload.output == 2);
  CHECK(rows[9].workload.prompt == 100);
  CHECK(rows[27].runtime == "vllm");
  CHECK(rows[54].kv == "fp8_e4m3");
  CHECK(rows[108].activations == "fp8_e4m3");
  CHECK(rows[216].weights == "fp8_e4m3");
  CHECK(rows[648].gpu == "nvidia-h100-sxm5-80gb");
  CHECK(rows[1296].model == "qwen3-0.6b");
}

TEST_CASE("sweep: the number of threads changes nothing") {
  SweepAxes axes = test::small_axes();
  axes.batches.clear();
  for (std::int64_t batch = 1; batch <= 40; ++batch)
    axes.batches.push_back(batch);
  const SweepSpace space(axes, {});  // 34,560 configurations: several chunks
  SweepRequest request = whole(space, 1);
  request.where = {condition(space, "tpot < 20 ms")};
  const auto one = indices_of(rows_of(space, request));
  CHECK_FALSE(one.empty());
  for (const std::size_t threads : {2U, 5U}) {
    request.threads = threads;
    CHECK(indices_of(rows_of(space, request)) == one);
  }
  request.top = {25, parse_ordering("--by", "tokens_per_second")};
  request.threads = 1;
  const auto top = indices_of(rows_of(space, request));
  request.threads = 4;
  CHECK(indices_of(rows_of(space, request)) == top);
}

TEST_CASE("sweep: the shards are disjoint, in order, and together the whole") {
  const SweepSpace space(test::small_axes(), {});
  const auto all = indices_of(rows_of(space, whole(space)));
  for (const std::int64_t count : {1, 2, 3, 7, 1000, 2592, 5000}) {
    std::vector<std::int64_t> joined;
    std::int64_t smallest = space.size();
    std::int64_t largest = 0;
    for (std::int64_t part = 1; part <= count; ++part) {
      SweepRequest request = whole(space);
      request.range = space.shard(part, count);
      smallest = std::min(smallest, request.range.size());
      largest = std::max(largest, request.range.size());
      if (count <= 7) {
        const auto some = indices_of(rows_of(space, request));
        joined.insert(joined.end(), some.begin(), some.end());
      } else {
        for (std::int64_t i = request.range.begin; i < request.range.end; ++i)
          joined.push_back(i);
      }
    }
    CHECK(joined == all);
    CHECK(largest - smallest <= 1);
  }
}

TEST_CASE("sweep: conditions, top and pareto equal a search through all rows") {
  const SweepSpace space(test::small_axes(), {});
  const std::vector<SweepRow> all = rows_of(space, whole(space));
  SweepRequest request = whole(space);
  request.where = {condition(space, "fits"), condition(space, "tpot<40 ms"),
                   condition(space, "weights!=fp16")};

  std::vector<SweepRow> wanted;
  for (const SweepRow& row : all) {
    const bool fast = row.tpot && *row.tpot < seconds(0.04);
    if (row.fits == true && fast && row.weights != "fp16")
      wanted.push_back(row);
  }
  REQUIRE(wanted.size() > 50);
  REQUIRE(wanted.size() < all.size());
  CHECK(indices_of(rows_of(space, request)) == indices_of(wanted));

  const auto throughput = [](const SweepRow& row) {
    return static_cast<double>(row.workload.batch) / *row.tpot;
  };
  SUBCASE("top") {
    // Throughput up; equal throughputs in the order of their indices.
    using Ranked = std::pair<decltype(throughput(wanted[0])), std::int64_t>;
    std::vector<Ranked> sorted;
    for (const SweepRow& row : wanted)
      sorted.emplace_back(throughput(row), row.index);
    std::sort(sorted.begin(), sorted.end(), [](const Ranked& a, const Ranked& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<std::int64_t> expected;
    for (std::size_t i = 0; i < 17; ++i)
      expected.push_back(sorted[i].second);
    request.top = {17, parse_ordering("--by", "tokens_per_second")};
    CHECK(indices_of(rows_of(space, request)) == expected);
  }
  SUBCASE("pareto") {
    // Memory down, throughput up, which pull apart: by the definition.
    std::vector<std::int64_t> front;
    for (const SweepRow& row : wanted) {
      const bool beaten = std::any_of(wanted.begin(), wanted.end(), [&](const SweepRow& other) {
        const bool as_good = other.total <= row.total && throughput(other) >= throughput(row);
        const bool better = other.total < row.total || throughput(other) > throughput(row);
        return as_good && (better || other.index < row.index);
      });
      if (!beaten)
        front.push_back(row.index);
    }
    request.pareto = {parse_ordering("--pareto", "total_bytes"),
                      parse_ordering("--pareto", "tokens_per_second")};
    std::vector<std::int64_t> got = indices_of(rows_of(space, request));
    CHECK(got.size() > 1);
    std::sort(got.begin(), got.end());
    CHECK(got == front);
  }
}

TEST_CASE("sweep: what cannot be is counted with its reason, the rest is evaluated") {
  SweepAxes axes = test::small_axes();
  axes.models = {test::model(test::kLlama2_7b)};
  axes.devices = {test::a100(), test::device(bytes(80e9), "no-peaks")};
  axes.weights = {"auto"};
  axes.activations = {"auto", "q4_k"};
  axes.kv = {"auto"};
  axes.runtimes = {&find_runtime("none")};
  const SweepSpace space(axes, {});
  CHECK(space.size() == 2 * 2 * 27);
  std::int64_t seen = 0;
  const SweepSummary summary = sweep(space, whole(space), [&seen](const SweepRow&) { ++seen; });
  // One device and one format of activations remain of two each.
  CHECK(seen == 27);
  CHECK(summary.evaluated == 27);
  CHECK(summary.matched == 27);
  CHECK(summary.skipped_count() == 3 * 27);
  REQUIRE(summary.skipped.size() == 2);
  CHECK(summary.skipped[0].reason ==
        "'q4_k' cannot be the format of activations: no hardware multiplies it as it is");
  CHECK(summary.skipped[0].first == 27);
  CHECK(summary.skipped[0].count == 2 * 27);
  CHECK(summary.skipped[1].reason ==
        "no-peaks states no peak on which fp16 weights and fp16 activations can be multiplied; it "
        "has none");
  CHECK(summary.skipped[1].count == 27);
}

TEST_CASE("sweep: a context that the model cannot have skips that context alone") {
  SweepAxes axes = test::small_axes();
  axes.models = {build_model(test::gpt2_card())};
  axes.devices = {test::a100()};
  axes.weights = axes.activations = axes.kv = {"auto"};
  axes.runtimes = {&find_runtime("none")};
  axes.prompts = {512, 1024};
  axes.outputs = {1, 512};
  const SweepSpace space(axes, {});
  const SweepSummary summary = sweep(space, whole(space), [](const SweepRow&) {});
  // 513 and 1,024 tokens are within GPT-2's 1,024 positions; 1,025 and 1,536 are not.
  CHECK(summary.evaluated == 2 * 3);
  REQUIRE(summary.skipped.size() == 1);
  CHECK(summary.skipped[0].count == 2 * 3);
  CHECK(summary.skipped[0].first == 6);
}

TEST_CASE("sweep: sizes beyond 2^53 bytes are skipped, not printed wrong") {
  SweepAxes axes = test::small_axes();
  axes.models = {test::model(test::kLlama2_7b)};
  axes.devices = {test::a100()};
  axes.weights = axes.activations = axes.kv = {"auto"};
  axes.runtimes = {&find_runtime("none")};
  axes.prompts = {kMaxTokens / 2};
  axes.outputs = {2};
  // 2^29 tokens of 524,288 bytes are 2.8e14 bytes per sequence; 2^53 is 9.0e15, 32 of them.
  axes.batches = {1, 16, kMaxSequences};
  const SweepSpace space(axes, {});
  const SweepSummary summary = sweep(space, whole(space), [](const SweepRow&) {});
  CHECK(summary.evaluated == 2);
  REQUIRE(summary.skipped.size() == 1);
  CHECK(summary.skipped[0].reason == "more than 2^53 bytes of memory");
}

TEST_CASE("sweep: an exception of the sink ends it and arrives") {
  const SweepSpace space(test::small_axes(), {});
  std::int64_t seen = 0;
  const auto full_disk = [&seen](const SweepRow&) {
    if (++seen == 10)
      throw std::runtime_error("disk is full");
  };
  CHECK_THROWS_WITH_AS(sweep(space, whole(space), full_disk), "disk is full", std::runtime_error);
  CHECK(seen == 10);
}

TEST_CASE("row evaluator: allocates nothing per configuration") {
  const SweepSpace space(test::small_axes(), {});
  RowEvaluator rows(space);
  SweepRow row;
  std::int64_t evaluated = 0;
  const auto group = [&](std::int64_t number) {
    const std::int64_t begin = number * space.group_size();
    for (std::int64_t index = begin; index < begin + space.group_size(); ++index) {
      rows.evaluate(index, row);
      ++evaluated;
    }
  };
  group(0);
  CHECK(test::allocations_in([&] { group(0); }) == 0);
  CHECK(evaluated == 2 * 27);
}

TEST_CASE("sweep: more batch or context never lowers a step's time, nor raises what fits") {
  SweepAxes axes = test::small_axes();
  axes.outputs = {16};
  axes.batches.clear();
  for (std::int64_t batch = 1; batch <= 600; batch += 23)
    axes.batches.push_back(batch);
  const SweepSpace space(axes, {});
  const std::vector<SweepRow> rows = rows_of(space, whole(space));
  const std::size_t batches = axes.batches.size();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const SweepRow& row = rows[i];
    if (i % batches != 0) {
      const SweepRow& smaller = rows[i - 1];
      CHECK(*row.tpot >= *smaller.tpot);
      CHECK(row.ttft >= smaller.ttft);
      CHECK(row.total >= smaller.total);
      CHECK_FALSE((row.fits == true && smaller.fits == false));
    }
    const bool has_shorter = i / batches % axes.prompts.size() != 0;
    if (has_shorter) {
      const SweepRow& shorter = rows[i - batches];
      CHECK(*row.tpot >= *shorter.tpot);
      CHECK(*row.max_batch <= *shorter.max_batch);
    }
    // What fits and the largest batch that fits are two ways to the same answer.
    CHECK(*row.fits == (row.workload.batch <= *row.max_batch));
  }
}

}  // namespace roofcast
