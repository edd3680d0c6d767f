#include "roofcast/model/architecture.hpp"

#include "roofcast/base/error.hpp"

#include <functional>
#include <string>

#include "support/cards.hpp"
#include <doctest/doctest.h>

using namespace roofcast;

namespace {

/// What building Llama 2 7B says after `change`.
std::string message_after(const std::function<void(ModelCard&)>& change) {
  ModelCard card = test::llama_2_7b_card();
  change(card);
  try {
    build_model(card);
  } catch (const ConfigError& error) {
    return error.what();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("build model: the card and its layers") {
  const Model model = build_model(test::gemma_3_4b_card());
  CHECK(model.card.name == "gemma-3-4b");
  std::int64_t layers = 0;
  for (const LayerGroup& group : model.groups)
    layers += group.count;
  CHECK(layers == 34);
}

TEST_CASE("build model: an unknown family is answered with the nearest") {
  CHECK(message_after([](ModelCard& card) { card.family = "lama"; }) ==
        "model 'llama-2-7b': unknown family 'lama'; did you mean 'llama'?");
}

TEST_CASE("build model: an unknown format of the checkpoint") {
  CHECK(message_after([](ModelCard& card) {
          card.weights = "fp17";
        }).find("unknown number format 'fp17'") == 0);
}

TEST_CASE("build model: heads that do not divide") {
  CHECK(message_after([](ModelCard& card) { card.attention.kv_heads = 5; }) ==
        "model 'llama-2-7b': 'attention.kv_heads' must divide 'attention.heads' (32), got 5");
  CHECK(message_after([](ModelCard& card) { card.attention.kv_heads = 64; }) ==
        "model 'llama-2-7b': 'attention.kv_heads' must divide 'attention.heads' (32), got 64");
}

TEST_CASE("build model: counts that are not positive or beyond every limit") {
  CHECK(message_after([](ModelCard& card) { card.layers = 0; }) ==
        "model 'llama-2-7b': 'layers' must be from 1 to 10000, got 0");
  CHECK(message_after([](ModelCard& card) { card.layers = 1'000'000'000; }) ==
        "model 'llama-2-7b': 'layers' must be from 1 to 10000, got 1000000000");
  CHECK(message_after([](ModelCard& card) { card.hidden = -1; }) ==
        "model 'llama-2-7b': 'hidden' must be from 1 to 16777216, got -1");
  CHECK(message_after([](ModelCard& card) { card.vocabulary = 16'777'217; }) ==
        "model 'llama-2-7b': 'vocabulary' must be from 1 to 16777216, got 16777217");
  CHECK(message_after([](ModelCard& card) { card.attention.heads = 0; }) ==
        "model 'llama-2-7b': 'attention.heads' must be from 1 to 16777216, got 0");
  CHECK(message_after([](ModelCard& card) { card.attention.kv_heads = 0; }) ==
        "model 'llama-2-7b': 'attention.kv_heads' must be from 1 to 16777216, got 0");
  CHECK(message_after([](ModelCard& card) { card.attention.head_dim = 0; }) ==
        "model 'llama-2-7b': 'attention.head_dim' must be from 1 to 16777216, got 0");
  CHECK(message_after([](ModelCard& card) { card.feed_forward.intermediate = 0; }) ==
        "model 'llama-2-7b': 'feed_forward.intermediate' must be from 1 to 16777216, got 0");
  CHECK(message_after([](ModelCard& card) { card.attention.window = 0; }) ==
        "model 'llama-2-7b': 'attention.window' must be from 1 to 1073741824, got 0");
  CHECK(message_after([](ModelCard& card) { card.context = 1'000'000'000'000'000'000; }) ==
        "model 'llama-2-7b': 'context' must be from 1 to 1073741824, got 1000000000000000000");
}

TEST_CASE("build model: numbers that are legal one by one but not together") {
  CHECK(message_after([](ModelCard& card) { card.attention.head_dim = kMaxWidth; }) ==
        "model 'llama-2-7b': heads x head_dim must be at most 16777216, got 536870912");
  CHECK(message_after([](ModelCard& card) { card.attention.value_dim = kMaxWidth; }) ==
        "model 'llama-2-7b': heads x value_dim must be at most 16777216, got 536870912");
  CHECK(message_after([](ModelCard& card) { card.attention.full_every = 6; }) ==
        "model 'llama-2-7b': 'attention.full_every' needs 'attention.window'");
}

TEST_CASE("build model: more parameters than can be counted are refused") {
  CHECK(message_after([](ModelCard& card) {
          card.layers = kMaxLayers;
          card.hidden = kMaxWidth;
          card.feed_forward.intermediate = kMaxWidth;
        }) == "'llama-2-7b' would have 2^53 parameters or more");
}
