#include "roofcast/base/error.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/op_builder.hpp"
#include "roofcast/model/parameter_count.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "support/cards.hpp"
#include "support/near.hpp"
#include "support/operators.hpp"
#include <doctest/doctest.h>

using namespace roofcast;
using test::near;
using test::operators_of;
using test::StepTotals;

namespace {

constexpr int kRounds = 200;

/// Fixed seed: a failure can be repeated.
class Random {
 public:
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  bool flip() { return between(0, 1) == 1; }
  template <class T, std::size_t N>
  const T& pick(const std::array<T, N>& from) {
    return from[static_cast<std::size_t>(between(0, N - 1))];
  }

 private:
  std::mt19937_64 engine_{20240607};
};

const std::array<std::string, 8> kWeightFormats = {"auto",  "fp32",   "int8", "fp8_block128",
                                                   "nvfp4", "nf4_dq", "awq",  "q6_k"};
const std::array<std::string, 4> kActivationFormats = {"auto", "fp8", "int8", "mxfp8"};
const std::array<std::string, 5> kKvFormats = {"auto", "fp8", "q8_0", "q4_0", "int8"};

ModelCard random_card(Random& random, std::string_view family) {
  const std::int64_t kv_heads = random.between(1, 8);
  const std::int64_t heads = kv_heads * random.between(1, 8);
  ModelCard card = test::make_card("random", std::string(family), random.flip() ? "fp16" : "bf16",
                                   {.vocabulary = random.between(1, 5000),
                                    .hidden = random.between(1, 3000),
                                    .layers = random.between(1, 60),
                                    .heads = heads,
                                    .kv_heads = kv_heads,
                                    .head_dim = random.between(1, 300),
                                    .intermediate = random.between(1, 9000),
                                    .context = 4096,
                                    .parameters = 0});
  card.tied_embeddings = random.flip();
  if (random.flip())
    card.attention.window = random.between(1, 2000);
  return card;
}

/// Families with learned positions ask for their rows, the others refuse them.
Model build_any(ModelCard card) {
  try {
    return build_model(card);
  } catch (const ConfigError&) {
    card.position_rows = 4096;
    return build_model(card);
  }
}

Model random_model(Random& random) {
  const std::vector<std::string_view> families = Architectures::instance().names();
  const auto index = random.between(0, static_cast<std::int64_t>(families.size()) - 1);
  return build_any(random_card(random, families[static_cast<std::size_t>(index)]));
}

PrecisionPlan random_plan(Random& random, const Model& model) {
  return plan_precision(model.card, {.weights = random.pick(kWeightFormats),
                                     .activations = random.pick(kActivationFormats),
                                     .kv = random.pick(kKvFormats),
                                     .embedding = random.flip() ? "auto" : "int8"});
}

PathChoice random_paths(Random& random) {
  return {.head_weight_only = random.flip(), .quantise_activations = random.flip()};
}

Step random_step(Random& random) {
  return random.flip() ? prefill_step(random.between(1, 64), random.between(1, 5000))
                       : decode_step(random.between(1, 64), random.between(1, 5000));
}

StepTotals totals_of(const Model& model, const PrecisionPlan& plan, const Step& step) {
  return test::totals(test::operators_of(model, plan, step));
}

/// What a decode step reads of the weights, from the census: all but the tables it gathers rows
/// from.
Bytes weights_read(const Model& model, const PrecisionPlan& plan) {
  Bytes gathered{};
  for (const Module& module : model.before) {
    const bool table = module.kind == ModuleKind::positions ||
                       (module.kind == ModuleKind::embedding && !model.card.tied_embeddings);
    if (table)
      gathered += storage(plan.of(module.role), module.rows, module.columns).total();
  }
  return weight_bytes(model, plan).total() - gathered;
}

}  // namespace

TEST_CASE("property: weights of a decode step are those of the census, for every family") {
  Random random;
  for (const std::string_view family : Architectures::instance().names()) {
    for (int round = 0; round < 20; ++round) {
      const Model model = build_any(random_card(random, family));
      const PrecisionPlan plan = random_plan(random, model);
      CAPTURE(family);
      CAPTURE(plan.weights->name);
      const StepTotals sum = totals_of(model, plan, decode_step(1, random.between(1, 5000)));
      // Sizes are whole bytes below 2^53, so sums are exact in any order.
      CHECK(sum.weights == weights_read(model, plan));
    }
  }
  CHECK(Architectures::instance().names().size() >= 20);
}

TEST_CASE("property: weights are read once, whatever the step") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    const Model model = random_model(random);
    const PrecisionPlan plan = random_plan(random, model);
    CHECK(totals_of(model, plan, random_step(random)).weights ==
          totals_of(model, plan, random_step(random)).weights);
  }
}

TEST_CASE("property: linear layers do 2 FLOP per parameter and token") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    const Model model = random_model(random);
    const PrecisionPlan plan = random_plan(random, model);
    const Step step = random_step(random);
    double matrix = 0;
    for (const WeightTensor& tensor : weight_tensors(model)) {
      if (tensor.role == WeightRole::matrix)
        matrix += static_cast<double>(tensor.parameters());
    }
    const Module& head = model.after.back();
    REQUIRE(head.kind == ModuleKind::head);
    const auto sequences = static_cast<double>(step.sequences);
    const double want = 2 * sequences * static_cast<double>(step.query_tokens) * matrix +
                        2 * sequences * static_cast<double>(head.rows * head.columns);
    CHECK(near(totals_of(model, plan, step).products, flops(want), 1e-12));
  }
}

TEST_CASE("property: no operator without work or traffic") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    const Model model = random_model(random);
    const OperatorList list =
        operators_of(model, random_plan(random, model), random_step(random), random_paths(random));
    for (const Operator& op : list) {
      CAPTURE(op.name);
      CHECK(op.repeat >= 1);
      CHECK(op.traffic() > bytes(0.0));
      CHECK(op.work >= flops(0.0));
      CHECK(op.element_bits > 0);
      const bool product = op.kind != OperatorKind::stream && op.kind != OperatorKind::quantise;
      CHECK((op.work > flops(0.0)) == product);
    }
  }
}

TEST_CASE("property: K and V of a decode step are what the cache holds") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    const Model model = random_model(random);
    const PrecisionPlan plan = random_plan(random, model);
    const std::int64_t batch = random.between(1, 300);
    const std::int64_t context = random.between(1, 5000);
    const Bytes cache = static_cast<double>(batch) * kv_bytes(model, *plan.kv, context);
    CHECK(totals_of(model, plan, decode_step(batch, context)).kv == cache);
    CHECK(totals_of(model, plan, prefill_step(batch, context)).kv == cache);
  }
}

TEST_CASE("property: the cache is linear in tokens, and flat where windows are full") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    const Model model = random_model(random);
    const NumberFormat& format = *random_plan(random, model).kv;
    const std::int64_t context = random.between(0, 5000);
    const Bytes growth = kv_bytes_per_token(model, format, context) * tokens(1.0);
    CHECK(kv_bytes(model, format, context + 1) - kv_bytes(model, format, context) == growth);
    if (!model.card.attention.window) {
      CHECK(kv_bytes(model, format, context) == static_cast<double>(context) * growth);
    }
    const std::int64_t block = random.between(1, 64);
    const Bytes allocated = kv_bytes_allocated(model, format, context, block);
    CHECK(allocated >= kv_bytes(model, format, context));
    CHECK(allocated <= kv_bytes(model, format, context) +
                           static_cast<double>(block - 1) *
                               (kv_bytes_per_token(model, format, 0) * tokens(1.0)));
  }
}

TEST_CASE("property: grouped heads share the cache in proportion, as many as heads are MHA") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    ModelCard card = random_card(random, "llama");
    const NumberFormat& format = number_format(random.pick(kKvFormats) == "q8_0" ? "q8_0" : "fp16");
    const Model grouped = build_any(card);
    const std::int64_t groups = card.attention.heads / card.attention.kv_heads;
    card.attention.kv_heads = card.attention.heads;
    const Model full = build_any(card);
    const std::int64_t context = random.between(1, 3000);
    CHECK(kv_bytes(full, format, context) ==
          static_cast<double>(groups) * kv_bytes(grouped, format, context));
    // Multi-head attention: 2 x heads x head_dim x 2 B in each layer.
    if (format.name == "fp16") {
      CHECK(kv_bytes_per_token(full, format, 0) * tokens(1.0) ==
            bytes(4.0 * static_cast<double>(card.layers * card.attention.heads *
                                            card.attention.head_dim)));
    }
    // Queries attend alike, whoever shares K and V with whom.
    const Step step = random_step(random);
    const auto attention = [&](const Model& model) {
      const OperatorList list = operators_of(model, step);
      return std::find_if(list.begin(), list.end(),
                          [](const Operator& op) {
                            return op.kind == OperatorKind::attention_prefill ||
                                   op.kind == OperatorKind::attention_decode;
                          })
          ->work;
    };
    CHECK(attention(full) == attention(grouped));
  }
}

TEST_CASE("property: half the bits are half the bytes") {
  Random random;
  constexpr std::array<std::string_view, 5> kWidths = {"fp64", "fp32", "fp16", "fp8", "fp4"};
  for (int round = 0; round < kRounds; ++round) {
    const std::int64_t rows = random.between(1, 100'000);
    const std::int64_t columns = 2 * random.between(1, 50'000);
    for (std::size_t i = 1; i < kWidths.size(); ++i) {
      CHECK(2.0 * storage(number_format(kWidths[i]), rows, columns).total() ==
            storage(number_format(kWidths[i - 1]), rows, columns).total());
    }
  }
}

TEST_CASE("property: storage is between the effective bits and one block more per row") {
  Random random;
  for (const NumberFormat& format : number_formats()) {
    CAPTURE(format.name);
    for (int round = 0; round < 20; ++round) {
      const std::int64_t rows = random.between(1, 1000);
      const std::int64_t columns = random.between(1, 5000);
      const StorageBytes stored = storage(format, rows, columns);
      const double least = static_cast<double>(rows * columns) * effective_bits(format) / 8;
      const auto block = static_cast<double>(format.payload_bits + format.overhead_bits) / 8;
      CHECK(stored.total() >= bytes(least * (1 - 1e-12)));
      CHECK(stored.total() <= bytes(least + static_cast<double>(rows) * block + 10));
      CHECK(storage(format, rows + 1, columns).total() > stored.total());
      CHECK(storage(format, rows, columns + 1).total() >= stored.total());
    }
  }
}

TEST_CASE("property: work grows with tokens and context, and is linear in the batch") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    const Model model = random_model(random);
    const PrecisionPlan plan = random_plan(random, model);
    const std::int64_t length = random.between(1, 5000);
    const std::int64_t batch = random.between(1, 50);
    CHECK(totals_of(model, plan, prefill_step(1, length + 1)).work >
          totals_of(model, plan, prefill_step(1, length)).work);
    const StepTotals now = totals_of(model, plan, decode_step(1, length));
    const StepTotals later = totals_of(model, plan, decode_step(1, length + 1));
    CHECK(later.work >= now.work);
    CHECK(later.kv >= now.kv);
    if (!model.card.attention.window)
      CHECK(later.work > now.work);
    for (const Phase phase : {Phase::prefill, Phase::decode}) {
      const std::int64_t query = phase == Phase::prefill ? length : 1;
      const StepTotals one = totals_of(model, plan, {phase, 1, query, length});
      const StepTotals many = totals_of(model, plan, {phase, batch, query, length});
      const auto factor = static_cast<double>(batch);
      CHECK(near(many.work, factor * one.work, 1e-12));
      CHECK(near(many.kv, factor * one.kv, 1e-12));
      CHECK(near(many.activations, factor * one.activations, 1e-12));
    }
  }
}

TEST_CASE("property: a prefill does the work of its decode steps, less their extra logits") {
  // Token by token: the same pairs of queries and tokens, and the head once per token.
  Random random;
  for (int round = 0; round < 20; ++round) {
    const Model model = random_model(random);
    const PrecisionPlan plan = random_plan(random, model);
    const std::int64_t prompt = random.between(1, 300);
    Flops steps{};
    for (std::int64_t context = 1; context <= prompt; ++context) {
      steps += totals_of(model, plan, decode_step(2, context)).work;
    }
    const Module& head = model.after.back();
    const Flops logits =
        flops(2.0 * 2 * static_cast<double>((prompt - 1) * head.rows * head.columns));
    CHECK(near(totals_of(model, plan, prefill_step(2, prompt)).work, steps - logits, 1e-12));
  }
}

TEST_CASE("property: a window that is never full is none") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    ModelCard card = random_card(random, "llama");
    const std::int64_t context = random.between(1, 3000);
    card.attention.window = context;
    const Model windowed = build_any(card);
    card.attention.window.reset();
    const Model full = build_any(card);
    const PrecisionPlan plan = plan_precision(card, {});
    CHECK(kv_bytes(windowed, *plan.kv, context) == kv_bytes(full, *plan.kv, context));
    for (const Step& step : {prefill_step(3, context), decode_step(3, context)}) {
      CHECK(totals_of(windowed, plan, step).work == totals_of(full, plan, step).work);
      CHECK(totals_of(windowed, plan, step).kv == totals_of(full, plan, step).kv);
    }
  }
}

TEST_CASE("property: the order and the division of layer groups change nothing") {
  Random random;
  for (int round = 0; round < kRounds; ++round) {
    ModelCard card = random_card(random, "gemma3");
    card.attention.window = random.between(1, 2000);
    const Model model = build_any(card);
    Model other = model;
    std::reverse(other.groups.begin(), other.groups.end());
    if (other.groups[0].count > 1) {
      other.groups.push_back(other.groups[0]);
      other.groups[0].count -= 1;
      other.groups.back().count = 1;
    }
    // 16-bit formats: every sum is of whole numbers below 2^53.
    const PrecisionPlan plan = plan_precision(card, {});
    const Step step = decode_step(random.between(1, 64), random.between(1, 5000));
    const StepTotals a = totals_of(model, plan, step);
    const StepTotals b = totals_of(other, plan, step);
    CHECK(a.work == b.work);
    CHECK(a.weights == b.weights);
    CHECK(a.kv == b.kv);
    CHECK(a.activations == b.activations);
    CHECK(count_parameters(model).total == count_parameters(other).total);
    CHECK(weight_bytes(model, plan).total() == weight_bytes(other, plan).total());
    CHECK(kv_bytes(model, *plan.kv, 4000) == kv_bytes(other, *plan.kv, 4000));
  }
}
