// The answers of `estimate` and `memory` as reports, from forecasts that are made up here: what is
// under test is which figure stands under which key, not its value.
#include "roofcast/model/architecture.hpp"
#include "roofcast/predict/runtime.hpp"
#include "roofcast/report/build_lists.hpp"
#include "roofcast/report/build_report.hpp"
#include "roofcast/report/matching.hpp"

#include <optional>
#include <string>

#include "support/cards.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

/// The value under a dotted path; nothing when no record has it.
std::optional<Value> find(const Report& report, const std::string& path) {
  for (const Block& block : report.blocks) {
    const auto* record = std::get_if<Record>(&block);
    if (record == nullptr)
      continue;
    for (const Field& field : record->fields) {
      const std::string at = record->key.empty() ? field.key : record->key + "." + field.key;
      if (!field.key.empty() && at == path)
        return field.value;
    }
  }
  return std::nullopt;
}

template <class T>
T get(const Report& report, const std::string& path) {
  const std::optional<Value> value = find(report, path);
  INFO(path);
  REQUIRE(value.has_value());
  REQUIRE(std::holds_alternative<T>(*value));
  return std::get<T>(*value);
}

bool is_null(const Report& report, const std::string& path) {
  const std::optional<Value> value = find(report, path);
  return value.has_value() && std::holds_alternative<std::monostate>(*value);
}

PhaseForecast made_up_phase(double scale) {
  PhaseForecast phase;
  phase.work = flops(1e12 * scale);
  phase.bytes = bytes(2e9 * scale);
  phase.ideal_compute = seconds(3e-3 * scale);
  phase.ideal_memory = seconds(1e-3 * scale);
  phase.bound = seconds(3e-3 * scale);
  phase.predicted = seconds(4e-3 * scale);
  phase.low = seconds(3.5e-3 * scale);
  phase.high = seconds(5e-3 * scale);
  phase.terms.compute = seconds(3e-3 * scale);
  phase.terms.overhead = seconds(1e-3 * scale);
  return phase;
}

/// A forecast whose every figure is told apart by its number.
struct MadeUp {
  Model model = build_model(test::llama_2_7b_card());
  HardwareProfile profile;
  Forecast forecast;

  MadeUp() {
    profile.name = "a-device";
    ForecastRequest& request = forecast.request;
    request.model = &model;
    request.profile = &profile;
    request.plan = plan_precision(model.card, {});
    request.workload = {.batch = 4, .prompt = 100, .output = 11};
    request.runtime = &find_runtime("none");
    forecast.prefill = made_up_phase(10.0);
    forecast.decode = made_up_phase(1.0);
    forecast.decode_steps = 10;
    forecast.ttft = seconds(0.04);
    forecast.tpot = seconds(0.004);
    forecast.e2e = seconds(0.08);
    forecast.tokens_per_second = tokens(1000.0) / seconds(1.0);
    forecast.tokens_per_second_per_sequence = tokens(250.0) / seconds(1.0);
    forecast.critical_batch = 153.0;
    forecast.prefill_provenance = "fit of prefill";
    forecast.decode_provenance = "fit of decode";
    forecast.memory = ledger();
    forecast.warnings = {{WarningKind::nearest_constants, "a sentence"}};
  }

  static MemoryForecast ledger() {
    MemoryForecast memory;
    memory.weights = bytes(10e9);
    memory.weight_scales = bytes(1e9);
    memory.kv_cache = bytes(2e9);
    memory.activations = bytes(3e9);
    memory.runtime = bytes(5e9);
    memory.total = bytes(20e9);
    memory.kv_per_token = bytes(7.0) / tokens(1.0);
    memory.capacity = bytes(50e9);
    memory.usable = bytes(40e9);
    memory.fits = true;
    memory.max_batch = 9;
    memory.max_context = 99;
    memory.kv_capacity_tokens = 999;
    return memory;
  }
};

}  // namespace

TEST_CASE("report: an estimate puts every figure under its key") {
  const MadeUp made;
  const Report report = build_estimate_report(made.forecast, {});
  CHECK(report.command == "estimate");
  CHECK(get<std::string>(report, "model.name") == "llama-2-7b");
  CHECK(get<std::string>(report, "hardware.name") == "a-device");
  CHECK(get<std::int64_t>(report, "workload.batch") == 4);
  CHECK(get<std::int64_t>(report, "workload.context_tokens") == 111);
  CHECK(get<Capacity>(report, "memory.weights_bytes").value == bytes(10e9));
  CHECK(get<Capacity>(report, "memory.weight_scale_bytes").value == bytes(1e9));
  CHECK(get<Capacity>(report, "memory.kv_cache_bytes").value == bytes(2e9));
  CHECK(get<Capacity>(report, "memory.activation_bytes").value == bytes(3e9));
  CHECK(get<Capacity>(report, "memory.runtime_bytes").value == bytes(5e9));
  CHECK(get<Capacity>(report, "memory.state_bytes").value == bytes(0.0));
  CHECK(get<Capacity>(report, "memory.total_bytes").value == bytes(20e9));
  CHECK(get<Capacity>(report, "memory.usable_bytes").value == bytes(40e9));
  CHECK(get<bool>(report, "memory.fits"));
  CHECK(get<std::int64_t>(report, "memory.max_batch") == 9);
  CHECK(get<std::int64_t>(report, "memory.max_context") == 99);
  CHECK(get<std::int64_t>(report, "memory.kv_capacity_tokens") == 999);
  CHECK(get<Seconds>(report, "prefill.seconds") == seconds(4e-2));
  CHECK(get<Seconds>(report, "decode.seconds") == seconds(4e-3));
  CHECK(get<Seconds>(report, "decode.bound_seconds") == seconds(3e-3));
  CHECK(get<Seconds>(report, "decode.low_seconds") == seconds(3.5e-3));
  CHECK(get<Seconds>(report, "decode.high_seconds") == seconds(5e-3));
  CHECK(get<Seconds>(report, "decode.terms.compute_seconds") == seconds(3e-3));
  CHECK(get<Flops>(report, "decode.flop") == flops(1e12));
  CHECK(get<Bytes>(report, "decode.bytes") == bytes(2e9));
  CHECK(get<std::string>(report, "decode.limited_by") == "compute");
  CHECK(get<std::string>(report, "decode.provenance") == "fit of decode");
  CHECK(get<Share>(report, "decode.mfu").value == made.forecast.decode->mfu());
  CHECK(get<Share>(report, "decode.mbu").value == made.forecast.decode->mbu());
  CHECK(get<std::int64_t>(report, "decode.steps") == 10);
  CHECK(get<Seconds>(report, "ttft_seconds") == seconds(0.04));
  CHECK(get<Seconds>(report, "tpot_seconds") == seconds(0.004));
  CHECK(get<Seconds>(report, "e2e_seconds") == seconds(0.08));
  CHECK(get<TokensPerSecond>(report, "tokens_per_second") == tokens(1000.0) / seconds(1.0));
  CHECK(get<double>(report, "critical_batch") == 153.0);
  CHECK_FALSE(find(report, "operators").has_value());
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes.front().key == "nearest_constants");
  // 40 GB usable less 20 GB: 18.63 GiB. 3 of 4 ms are compute.
  CHECK(
      *report.verdict ==
      "Fits, with 18.63 GiB to spare. Prefill is limited by compute (75 % of its time), decode is "
      "limited by compute (75 % of its time).");
}

TEST_CASE("report: without a decode its figures are null") {
  MadeUp made;
  made.forecast.decode.reset();
  made.forecast.tpot.reset();
  made.forecast.tokens_per_second.reset();
  made.forecast.tokens_per_second_per_sequence.reset();
  const Report report = build_estimate_report(made.forecast, {});
  CHECK(is_null(report, "decode"));
  CHECK(is_null(report, "tpot_seconds"));
  CHECK(is_null(report, "tokens_per_second"));
  CHECK_FALSE(find(report, "decode.seconds").has_value());
}

TEST_CASE("report: a ledger without a device has no room to speak of") {
  MadeUp made;
  MemoryForecast& memory = made.forecast.memory;
  memory.capacity.reset();
  memory.usable.reset();
  memory.fits.reset();
  memory.max_batch.reset();
  memory.max_context.reset();
  memory.kv_capacity_tokens.reset();
  const Report report = build_memory_report({.model = &made.model,
                                             .profile = nullptr,
                                             .runtime = &find_runtime("none"),
                                             .plan = made.forecast.request.plan,
                                             .workload = {},
                                             .request = {},
                                             .memory = memory,
                                             .warnings = {}});
  for (const char* path : {"hardware.name", "hardware.count", "memory.usable_bytes", "memory.fits",
                           "memory.max_batch", "memory.max_context", "memory.kv_capacity_tokens"}) {
    INFO(std::string(path));
    CHECK(is_null(report, path));
  }
  CHECK_FALSE(report.verdict.has_value());
}

TEST_CASE("report: what is too much is said with its size") {
  MadeUp made;
  made.forecast.memory.fits = false;
  made.forecast.memory.total = bytes(40e9 + 1073741824.0);
  CHECK(build_estimate_report(made.forecast, {})
            .verdict->starts_with("Does not fit: 1.00 GiB too much."));
  // 40e9 B + 1 GiB = 38.25 GiB; 40e9 B = 37.25 GiB. It stands at the top as well.
  CHECK(build_estimate_report(made.forecast, {}).alert ==
        "DOES NOT FIT: 38.25 GiB of 37.25 GiB usable");
  made.forecast.memory.fits = true;
  CHECK(build_estimate_report(made.forecast, {}).alert.empty());
}

TEST_CASE("report: an operator stands with all its runs together") {
  const MadeUp made;
  OperatorForecast each;
  each.phase = Phase::prefill;
  each.op = {.name = "qkv",
             .kind = OperatorKind::gemm,
             .repeat = 32,
             .work = flops(600.0),
             .weights = bytes(90.0),
             .scales = bytes(5.0),
             .kv = bytes(5.0),
             .activations = bytes(7.0)};
  each.bound = seconds(0.5);
  each.predicted = seconds(0.75);
  each.limited_by = LimitedBy::memory;
  const Report report = build_estimate_report(made.forecast, {each});
  const Grid* grid = nullptr;
  for (const Block& block : report.blocks) {
    const auto* found = std::get_if<Grid>(&block);
    if (found != nullptr && found->key == "operators")
      grid = found;
  }
  REQUIRE(grid != nullptr);
  REQUIRE(grid->rows.size() == 1);
  const auto at = [&](std::string_view key) {
    for (std::size_t i = 0; i < grid->columns.size(); ++i) {
      if (grid->columns[i].key == key)
        return grid->rows.front()[i];
    }
    return Value{};
  };
  CHECK(std::get<std::int64_t>(at("count")) == 32);
  CHECK(std::get<Flops>(at("flop")) == flops(32 * 600.0));
  CHECK(std::get<Bytes>(at("bytes")) == bytes(32 * 100.0));
  CHECK(std::get<Bytes>(at("weight_bytes")) == bytes(32 * 95.0));
  CHECK(std::get<Bytes>(at("activation_bytes")) == bytes(32 * 7.0));
  CHECK(std::get<FlopsPerByte>(at("intensity")) == flops(6.0) / bytes(1.0));
  CHECK(std::get<Seconds>(at("seconds")) == seconds(24.0));
  CHECK(std::get<std::string>(at("limited_by")) == "memory");
}

TEST_CASE("report: lists keep what contains the filter, whatever the case") {
  CHECK(any_contains({"NVIDIA H100"}, "h100"));
  CHECK(any_contains({"a", "b"}, ""));
  CHECK_FALSE(any_contains({"h100"}, "h1000"));
  const auto rows = [](const Report& report) {
    return std::get<Grid>(report.blocks.front()).rows.size();
  };
  CHECK(rows(build_precisions_report("")) == number_formats().size());
  CHECK(rows(build_precisions_report("GGUF")) > 10);
  CHECK(rows(build_precisions_report("nothing like it")) == 0);
  const std::vector<Model> models = {build_model(test::llama_2_7b_card()),
                                     build_model(test::llama_2_70b_card())};
  CHECK(rows(build_models_report(models, "70B")) == 1);
}

}  // namespace roofcast
