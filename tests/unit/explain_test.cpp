#include "roofcast/predict/explain.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include "support/near.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::near;

namespace {

/// Calculates what a line of an explanation says, in SI units: "max(4.3 ms, 14 GB / 2.039 TB/s)".
/// Knows
/// + - × /, brackets, max and floor, thousands separators, and the units of format_precise().
class Calculator {
 public:
  explicit Calculator(std::string_view text) : text_(text) {}

  double result() {
    const double value = sum();
    skip();
    if (!text_.empty())
      throw std::runtime_error("left over: " + std::string(text_));
    return value;
  }

 private:
  double sum() {
    double value = product();
    for (;;) {
      if (take(" + "))
        value += product();
      else if (take(" - "))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = factor();
    for (;;) {
      if (take(" × "))
        value *= factor();
      else if (take(" / "))
        value /= factor();
      else
        return value;
    }
  }
  double factor() {
    skip();
    if (take("max(")) {
      const double first = sum();
      if (!take(","))
        throw std::runtime_error("max of one");
      const double second = sum();
      close();
      return std::max(first, second);
    }
    if (take("floor(")) {
      const double value = std::floor(sum());
      close();
      return value;
    }
    if (take("(")) {
      const double value = sum();
      close();
      return value;
    }
    return number();
  }
  double number() {
    std::string digits;
    while (!text_.empty() && is_of_number(digits)) {
      if (text_.front() != ',')
        digits += text_.front();
      text_.remove_prefix(1);
    }
    if (digits.empty())
      throw std::runtime_error("no number at: " + std::string(text_));
    return std::stod(digits) * unit();
  }
  bool is_of_number(const std::string& before) const {
    const char c = text_.front();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e')
      return true;
    if (c == ',')
      return text_.size() > 1 && std::isdigit(static_cast<unsigned char>(text_[1])) != 0;
    return (c == '+' || c == '-') && (before.empty() || before.back() == 'e');
  }
  double unit() {
    if (text_.size() < 2 || text_[0] != ' ' ||
        std::isalpha(static_cast<unsigned char>(text_[1])) == 0)
      return 1.0;
    text_.remove_prefix(1);
    std::string name;
    while (!text_.empty() &&
           (std::isalpha(static_cast<unsigned char>(text_.front())) != 0 || text_.front() == '/')) {
      name += text_.front();
      text_.remove_prefix(1);
    }
    for (const char* base :
         {"FLOP/s", "FLOP", "B/token", "B/s", "B", "tokens/s", "tokens", "token", "s"}) {
      if (name == base)
        return 1.0;
      if (name.size() == std::string(base).size() + 1 && name.substr(1) == base)
        return prefix(name[0]);
    }
    throw std::runtime_error("unknown unit " + name);
  }
  static double prefix(char letter) {
    switch (letter) {
      case 'E':
        return 1e18;
      case 'P':
        return 1e15;
      case 'T':
        return 1e12;
      case 'G':
        return 1e9;
      case 'M':
        return 1e6;
      case 'k':
        return 1e3;
      case 'm':
        return 1e-3;
      case 'u':
        return 1e-6;
      case 'n':
        return 1e-9;
      default:
        throw std::runtime_error("unknown prefix");
    }
  }
  void close() {
    if (!take(")"))
      throw std::runtime_error("no ) at: " + std::string(text_));
  }
  void skip() {
    while (!text_.empty() && text_.front() == ' ')
      text_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    if (!text_.starts_with(token))
      return false;
    text_.remove_prefix(token.size());
    return true;
  }

  std::string_view text_;
};

double calculate(std::string_view text) {
  return Calculator(text).result();
}

/// A question, its answer, and what both point to.
struct Answered {
  Model model;
  HardwareProfile profile;
  Forecast forecast;

  Answered(const ModelCard& card, HardwareProfile device, Workload workload, const char* runtime,
           const char* weights = "auto", const char* level = "best")
      : model(build_model(card)), profile(std::move(device)) {
    ForecastRequest request;
    request.model = &model;
    request.profile = &profile;
    request.plan = test::plan(model, weights);
    request.workload = workload;
    request.runtime = &find_runtime(runtime);
    request.level = level;
    forecast = roofcast::forecast(request);
  }
  Answered(const Answered&) = delete;
  Answered& operator=(const Answered&) = delete;
};

ModelCard windowed() {
  ModelCard card = test::card(test::kLlama31_8b);
  card.family = "mistral";
  card.attention.window = 4096;
  return card;
}

std::string before_result(const std::string& line) {
  return line.substr(0, line.rfind(" = "));
}

}  // namespace

TEST_CASE("calculator: units, separators, functions") {
  CHECK(calculate("1,000 B + 2.5 kB") == 3500);
  CHECK(calculate("max(0, floor((10 - 3 - 1) / 4)) × 16") == 16);
  CHECK(near(calculate("14,288,429,056 B / 2.039 TB/s"), 0.0070076, 1e-4));
  CHECK(near(calculate("max(1.5 ms, 3 us)"), 0.0015, 1e-12));
  CHECK(near(calculate("(2 - 1) × 1e-05 s"), 1e-5, 1e-12));
  CHECK_THROWS(calculate("5 parsecs"));
  CHECK_THROWS(calculate("5 B and more"));
}

// Each last line, put through the calculator, must give the number that the forecast holds, and the
// result must read as that number.
TEST_CASE("explain: the numbers in the last line give the result, for every quantity") {
  const std::vector<const Answered*> all = {
      new Answered(test::card(test::kLlama2_7b), test::a100(), {1, 2048, 256}, "vllm"),
      new Answered(test::card(test::kLlama31_8b), test::h100(), {64, 512, 128}, "sglang",
                   "int4_g128"),
      new Answered(test::card(test::kQwen3_06b), test::h100(), {2000, 100, 7}, "trtllm"),
      new Answered(windowed(), test::h100(), {4, 4000, 300}, "llamacpp", "fp8_e4m3"),
      new Answered(test::card(test::kLlama2_70b), test::h100(), {1, 128, 2}, "none", "auto",
                   "spec"),
  };
  for (const Answered* answered : all) {
    for (const std::string_view quantity : explainable_quantities()) {
      const Explanation explanation = explain(quantity, answered->forecast);
      CAPTURE(std::string(quantity));
      REQUIRE_FALSE(explanation.lines.empty());
      const std::string& last = explanation.lines.back();
      CAPTURE(last);
      CHECK(explanation.quantity == quantity);
      CHECK(explanation.equation >= 1);
      CHECK_FALSE(explanation.title.empty());
      CHECK_FALSE(explanation.formula.empty());
      CHECK_FALSE(explanation.result.empty());
      if (!explanation.value)
        continue;
      REQUIRE(last.ends_with(" = " + explanation.result));
      CHECK(near(calculate(before_result(last)), *explanation.value, 2e-5));
      CHECK(near(calculate(explanation.result), *explanation.value, 2e-5));
    }
    delete answered;
  }
}

// The values are those of the forecast, in plain SI units.
TEST_CASE("explain: values agree with the forecast") {
  const Answered answered(test::card(test::kLlama2_7b), test::a100(), {4, 2048, 256}, "vllm");
  const Forecast& forecast = answered.forecast;
  const auto value = [&](const char* quantity) {
    return explain(quantity, forecast).value.value();
  };
  CHECK(value("model.parameters.total") == 6738415616.0);
  CHECK(value("model.parameters.embedding") == 32000.0 * 4096);
  CHECK(value("memory.weights_bytes") == 13476831232.0);
  CHECK(value("memory.kv_bytes_per_token") == 524288.0);
  CHECK(value("memory.kv_cache_bytes") == 4.0 * 2304 * 524288);
  CHECK(value("memory.activation_bytes") == forecast.memory.activations.value());
  CHECK(value("memory.total_bytes") == forecast.memory.total.value());
  CHECK(value("memory.max_batch") == static_cast<double>(*forecast.memory.max_batch));
  CHECK(value("prefill.flop") == forecast.prefill.work.value());
  CHECK(value("prefill.bound_seconds") == forecast.prefill.bound.value());
  CHECK(value("decode.seconds") == forecast.decode->predicted.value());
  CHECK(value("decode.low_seconds") == forecast.decode->low.value());
  CHECK(value("decode.mbu") == forecast.decode->mbu());
  CHECK(value("decode.steps") == 255);
  CHECK(value("tpot_seconds") == forecast.tpot->value());
  CHECK(value("critical_batch") == forecast.critical_batch);
  CHECK(explain("decode.limited_by", forecast).result == "memory");
  CHECK(explain("memory.fits", forecast).result == "yes");
}

// The bound of one decode step of Llama 2 7B at context 2048 on an A100, written out:
// 14,288,429,056 B at 2,039 GB/s are 7.00757 ms; the embedding table is not among the bytes.
TEST_CASE("explain: a bound reads as its formula") {
  const Answered answered(test::card(test::kLlama2_7b), test::a100(), {1, 2047, 2}, "none");
  const Explanation bound = explain("decode.bound_seconds", answered.forecast);
  CHECK(bound.equation == 14);
  CHECK(bound.title == "bound of the mean decode step");
  CHECK(bound.formula == "T_bound = Σ_t max(Σ F(t) / C, Q(t) / B) / (o - 1)");
  CHECK(bound.lines.size() == 2);
  CHECK(bound.lines[0].starts_with("step 1, context 2,048: max("));
  CHECK(bound.lines[0].ends_with(", 14,288,429,056 B / 2.039 TB/s) = 7.00757 ms"));
  CHECK(bound.lines[1] == "7.00757 ms / 1 = 7.00757 ms");
  CHECK(bound.result == "7.00757 ms");
  REQUIRE(bound.symbols.size() == 7);
  CHECK(bound.symbols.back().symbol == "B");
  CHECK(bound.symbols.back().value == "2.039 TB/s");
  CHECK(bound.symbols.back().source == "profile nvidia-a100-sxm4-80gb");
}

// The lines of the operators are those of the mean step: with the host's millisecond they are it,
// also where a window of 4,096 tokens fills in the course of the steps.
TEST_CASE("explain: the operators of the mean decode step add up to it") {
  const Answered answered(windowed(), test::h100(), {64, 1, 8001}, "vllm");
  const auto add = [](const Explanation& explained) {
    double sum = 0;
    for (const std::string& line : explained.lines) {
      const auto from = line.rfind(") = ");
      const auto to = line.rfind(", ");
      if (from != std::string::npos && to != std::string::npos && from < to)
        sum += calculate(std::string_view(line).substr(from + 4, to - from - 4));
    }
    return sum;
  };
  CHECK(near(add(explain("decode.seconds", answered.forecast)) + 1e-3,
             answered.forecast.decode->predicted.value(), 2e-5));
  CHECK(near(add(explain("prefill.seconds", answered.forecast)) + 1e-3,
             answered.forecast.prefill.predicted.value(), 2e-5));
  // Each cause lists what its operators add: the cache is read by attention alone.
  const Explanation kv = explain("decode.terms.kv_seconds", answered.forecast);
  REQUIRE(kv.lines.size() == 2);
  const std::string& line = kv.lines.front();
  CHECK(near(calculate(std::string_view(line).substr(line.find(": ") + 2)), *kv.value, 2e-5));
}

TEST_CASE("explain: every quantity of the JSON of estimate is known") {
  const std::vector<std::string_view> names = explainable_quantities();
  const std::set<std::string_view> known(names.begin(), names.end());
  CHECK(known.size() == names.size());
  for (const char* key : {"model.parameters.total",
                          "model.parameters.active",
                          "model.parameters.embedding",
                          "memory.weights_bytes",
                          "memory.kv_bytes_per_token",
                          "memory.kv_cache_bytes",
                          "memory.state_bytes",
                          "memory.activation_bytes",
                          "memory.runtime_bytes",
                          "memory.total_bytes",
                          "memory.usable_bytes",
                          "memory.fits",
                          "memory.max_batch",
                          "memory.max_context",
                          "memory.kv_capacity_tokens",
                          "decode.steps",
                          "ttft_seconds",
                          "tpot_seconds",
                          "e2e_seconds",
                          "tokens_per_second",
                          "tokens_per_second_per_sequence",
                          "critical_batch"})
    CHECK_MESSAGE(known.count(key) == 1, key);
  for (const char* phase : {"prefill.", "decode."}) {
    for (const char* key : {"flop", "bytes", "bound_seconds", "seconds", "low_seconds",
                            "high_seconds", "limited_by", "mfu", "mbu", "provenance"})
      CHECK_MESSAGE(known.count(std::string(phase) + key) == 1, key);
  }
}

TEST_CASE("explain: short forms, and what is ambiguous or unknown") {
  const Answered answered(test::card(test::kLlama2_7b), test::a100(), {1, 2048, 256}, "none");
  const auto full = [&](const char* wanted) { return explain(wanted, answered.forecast).quantity; };
  CHECK(full("tpot") == "tpot_seconds");
  CHECK(full("ttft") == "ttft_seconds");
  CHECK(full("kv_cache") == "memory.kv_cache_bytes");
  CHECK(full("kv-cache") == "memory.kv_cache_bytes");
  CHECK(full("weights") == "memory.weights_bytes");
  CHECK(full("decode.bound") == "decode.bound_seconds");
  CHECK(full("parameters") == "model.parameters.total");
  CHECK(full("parameters.total") == "model.parameters.total");
  CHECK(full("max_batch") == "memory.max_batch");
  CHECK(full("decode") == "decode.seconds");
  CHECK(full("decode.terms.kv") == "decode.terms.kv_seconds");
  CHECK_THROWS_WITH_AS(full("bound"),
                       "'bound' is more than one quantity: prefill.bound_seconds, "
                       "decode.bound_seconds",
                       UsageError);
  CHECK_THROWS_WITH_AS(full("tpto"),
                       "unknown quantity 'tpto'; did you mean 'tpot'?; known are the keys "
                       "of the JSON of estimate, such as decode.bound_seconds",
                       UsageError);
}

TEST_CASE("explain: what has no answer says so") {
  const Answered full(windowed(), test::h100(), {1, 128, 2}, "none");
  CHECK(explain("max_context", full.forecast).result == "not limited by memory");
  CHECK_FALSE(explain("max_context", full.forecast).value);
  HardwareProfile host = test::a100();
  host.memory.capacity.reset();
  const Answered answered(test::card(test::kLlama2_7b), host, {1, 2048, 1}, "none");
  for (const char* quantity : {"memory.usable_bytes", "memory.fits", "memory.max_batch",
                               "memory.max_context", "memory.kv_capacity_tokens"}) {
    const Explanation explanation = explain(quantity, answered.forecast);
    CHECK(explanation.result == "unknown");
    CHECK_FALSE(explanation.value);
  }
  for (const char* quantity : {"tpot_seconds", "decode.seconds", "tokens_per_second"}) {
    const Explanation explanation = explain(quantity, answered.forecast);
    CHECK(explanation.result == "none");
    CHECK_FALSE(explanation.value);
  }
  CHECK(explain("decode.steps", answered.forecast).value == 0.0);
}
