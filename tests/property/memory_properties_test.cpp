#include "roofcast/model/kv_cache.hpp"
#include "roofcast/predict/memory.hpp"

#include <random>
#include <string>
#include <vector>

#include "support/forecast_fixtures.hpp"
#include <doctest/doctest.h>

using namespace roofcast;

namespace {

constexpr int kCases = 300;

/// One random question about memory; fixed seed, so a failure repeats.
struct Question {
  Model model;
  PrecisionPlan plan;
  const Runtime* runtime = nullptr;
  HardwareProfile profile;
  MemoryRequest request;

  [[nodiscard]] MemoryForecast ask(MemoryRequest changed) const {
    return forecast_memory(model, plan, *runtime, changed, &profile);
  }
  [[nodiscard]] MemoryForecast ask() const { return ask(request); }
  [[nodiscard]] MemoryForecast at(std::int64_t batch, std::int64_t context) const {
    MemoryRequest changed = request;
    changed.batch = batch;
    changed.context = context;
    return ask(changed);
  }
};

class Generator {
 public:
  Question next() {
    Question question;
    question.model = random_model();
    const std::string kv = pick<std::string>({"auto", "fp8_e4m3", "int8"});
    const std::string weights = pick<std::string>({"auto", "int8", "int4_g128", "fp8_e4m3"});
    question.plan = test::plan(question.model, weights, "auto", kv);
    question.runtime = &runtimes()[static_cast<std::size_t>(number(0, 4))];
    const Bytes weight_size =
        forecast_memory(question.model, question.plan, find_runtime("none"), {}, nullptr).weights;
    question.profile =
        test::device(weight_size * (0.5 + 0.01 * static_cast<double>(number(0, 1000))) +
                     bytes(1e9 * static_cast<double>(number(0, 90))));
    question.request = {.batch = number(1, 64),
                        .context = number(1, 40000),
                        .prompt = number(1, 20000),
                        .kv_block = pick<std::int64_t>({1, 16, 17, 64, 256}),
                        .memory_fraction = 0.01 * static_cast<double>(number(50, 100))};
    return question;
  }
  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

 private:
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(number(0, static_cast<std::int64_t>(from.size()) - 1))];
  }
  Model random_model() {
    const std::int64_t kv_heads = number(1, 8);
    ModelCard card = test::card({.name = "random",
                                 .vocabulary = number(100, 200000),
                                 .hidden = 64 * number(1, 128),
                                 .layers = number(1, 80),
                                 .heads = kv_heads * number(1, 8),
                                 .kv_heads = kv_heads,
                                 .head_dim = 16 * number(1, 16),
                                 .intermediate = 64 * number(1, 256),
                                 .tied = number(0, 1) == 1});
    if (number(0, 2) == 0) {
      card.family = "mistral";
      card.attention.window = number(1, 8192);
    }
    return build_model(card);
  }

  std::mt19937_64 random_{20240607};
};

}  // namespace

TEST_CASE("memory: the total is the sum of its lines, and usable is a fraction") {
  Generator generator;
  for (int i = 0; i < kCases; ++i) {
    const Question question = generator.next();
    const MemoryForecast memory = question.ask();
    CAPTURE(i);
    CHECK(memory.total ==
          memory.weights + memory.kv_cache + memory.state + memory.activations + memory.runtime);
    CHECK(memory.weight_scales < memory.weights);
    CHECK(*memory.usable <= *memory.capacity);
    CHECK(memory.usable->value() == std::floor(memory.usable->value()));
    CHECK(*memory.fits == (memory.total <= *memory.usable));
  }
}

TEST_CASE("memory: never falls with batch or context") {
  Generator generator;
  for (int i = 0; i < kCases; ++i) {
    const Question question = generator.next();
    const auto [batch, context, prompt, block, fraction] = question.request;
    const Bytes total = question.ask().total;
    CAPTURE(i);
    CHECK(question.at(batch + generator.number(1, 100), context).total >= total);
    CHECK(question.at(batch, context + generator.number(1, 5000)).total >= total);
  }
}

TEST_CASE("memory: never grows when a format gets narrower") {
  Generator generator;
  for (int i = 0; i < kCases / 3; ++i) {
    Question question = generator.next();
    const auto total = [&](const char* weights, const char* kv) {
      question.plan = test::plan(question.model, weights, "auto", kv);
      return question.ask().total;
    };
    CAPTURE(i);
    CHECK(total("fp32", "auto") > total("bf16", "auto"));
    CHECK(total("bf16", "auto") > total("int8", "auto"));
    CHECK(total("int8", "auto") > total("int4_g128", "auto"));
    CHECK(total("bf16", "fp32") > total("bf16", "bf16"));
    CHECK(total("bf16", "bf16") > total("bf16", "fp8_e4m3"));
  }
}

TEST_CASE("memory: the largest batch and context fit, and one more does not") {
  Generator generator;
  int batches = 0;
  int contexts = 0;
  for (int i = 0; i < kCases; ++i) {
    const Question question = generator.next();
    const auto [batch, context, prompt, block, fraction] = question.request;
    const MemoryForecast memory = question.ask();
    CAPTURE(i);
    // No limit is that of what is counted.
    const std::int64_t most = memory.max_batch.value_or(kMaxSequences);
    const std::int64_t longest = memory.max_context.value_or(kMaxTokens);
    if (most > 0) {
      ++batches;
      CHECK(*question.at(most, context).fits);
    }
    if (memory.max_batch)
      CHECK_FALSE(*question.at(most + 1, context).fits);
    if (longest > 0) {
      ++contexts;
      CHECK(*question.at(batch, longest).fits);
    }
    if (memory.max_context)
      CHECK_FALSE(*question.at(batch, longest + 1).fits);
    CHECK(*memory.fits == (batch <= most));
    CHECK(*memory.fits == (context <= longest));
  }
  // The generator must reach both sides often enough to mean something.
  CHECK(batches > kCases / 3);
  CHECK(batches < kCases);
  CHECK(contexts > kCases / 3);
}

TEST_CASE("memory: the pool's tokens fill it to less than a block") {
  Generator generator;
  for (int i = 0; i < kCases; ++i) {
    const Question question = generator.next();
    const MemoryForecast memory = question.ask();
    const std::int64_t block = question.request.kv_block;
    const Bytes block_size = kv_bytes_allocated(question.model, *question.plan.kv, block, block);
    const Bytes pool = *memory.usable - (memory.total - memory.kv_cache);
    const Bytes held = static_cast<double>(*memory.kv_capacity_tokens / block) * block_size;
    CAPTURE(i);
    CHECK(*memory.kv_capacity_tokens % block == 0);
    if (pool >= Bytes{}) {
      CHECK(held <= pool);
      CHECK(held + block_size > pool);
    } else {
      CHECK(*memory.kv_capacity_tokens == 0);
    }
  }
}
