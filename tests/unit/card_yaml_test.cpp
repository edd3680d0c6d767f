#include "roofcast/model/readers/card_yaml.hpp"

#include "roofcast/base/error.hpp"

#include <string>
#include <utility>

#include "support/bad_files.hpp"
#include <doctest/doctest.h>

using namespace roofcast;

namespace {

// Every key that a card can have, in the one family that takes them all.
constexpr const char* kEveryKey = R"(schema: roofcast/model/1
name: everything
aliases: [lab/Everything-1B, every]
family: opt
vocabulary: 1000
hidden: 64
layers: 6
attention: {heads: 8, kv_heads: 2, head_dim: 16, value_dim: 8, window: 32, full_every: 3,
            bias: false, qk_norm: true}
feed_forward: {kind: plain, intermediate: 256, bias: false}
position_rows: 130
embedding_dim: 40
tied_embeddings: true
context: 128
weights: bf16
parameters: 343936
source: a card with every key
checks: {kv_bytes_per_token: 576}
)";

ModelCard read(std::string text) {
  return read_model_card(parse_document("card.yaml", std::move(text)));
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("card reader: every key arrives in the card") {
  // embedding 1,000 x 40 = 40,000; in and out 2 x 64 x 40 = 5,120; positions 130 x 64 = 8,320;
  // layer: qkv (8 x 16 + 2 x (16 + 8)) x 64 = 11,264, attn_out 64 x 64 = 4,096, norms of Q and K
  // 32, up and down 2 x 256 x 64 = 32,768, two norms with bias 256: 48,416, 6 times 290,496.
  // 40,000 + 5,120 + 8,320 + 290,496 = 343,936. K and V: 6 layers x 2 x (16 + 8) x 2 bytes = 576.
  const ModelCard card = read(std::string(kEveryKey));
  CHECK(card.name == "everything");
  CHECK(card.aliases == std::vector<std::string>{"lab/Everything-1B", "every"});
  CHECK(card.family == "opt");
  CHECK(card.vocabulary == 1000);
  CHECK(card.hidden == 64);
  CHECK(card.layers == 6);
  CHECK(card.attention.heads == 8);
  CHECK(card.attention.kv_heads == 2);
  CHECK(card.attention.head_dim == 16);
  CHECK(card.attention.value_dim == 8);
  CHECK(card.attention.window == 32);
  CHECK(card.attention.full_every == 3);
  CHECK(card.attention.bias == false);
  CHECK(card.attention.qk_norm == true);
  CHECK_FALSE(card.feed_forward.gated);
  CHECK(card.feed_forward.intermediate == 256);
  CHECK(card.feed_forward.bias == false);
  CHECK(card.position_rows == 130);
  CHECK(card.embedding_dim == 40);
  CHECK(card.tied_embeddings);
  CHECK(card.context == 128);
  CHECK(card.weights == "bf16");
  CHECK(card.parameters == 343'936);
  CHECK(card.kv_bytes_per_token == 576);
  CHECK(card.source == "a card with every key");
}

TEST_CASE("card reader: what a card leaves out stays open for the family") {
  const ModelCard card = read(R"(schema: roofcast/model/1
name: short
family: llama
vocabulary: 10
hidden: 4
layers: 1
attention: {heads: 2, kv_heads: 1, head_dim: 2}
feed_forward: {kind: gated, intermediate: 8}
tied_embeddings: false
context: 16
weights: fp32
parameters: 236
source: a card without optional keys
)");
  // 2 x 10 x 4 = 80; qkv (4 + 2 + 2) x 4 = 32, attn_out 16, gate, up, down 96, norms 8; final 4:
  // 236
  CHECK(card.aliases.empty());
  CHECK_FALSE(card.attention.value_dim.has_value());
  CHECK_FALSE(card.attention.window.has_value());
  CHECK_FALSE(card.attention.full_every.has_value());
  CHECK_FALSE(card.attention.bias.has_value());
  CHECK_FALSE(card.attention.qk_norm.has_value());
  CHECK_FALSE(card.feed_forward.bias.has_value());
  CHECK_FALSE(card.position_rows.has_value());
  CHECK_FALSE(card.embedding_dim.has_value());
  CHECK_FALSE(card.kv_bytes_per_token.has_value());
}

TEST_CASE("card reader: one parameter more or less is refused, both counts named") {
  const std::string more = error_of(replaced(kEveryKey, "343936", "343937"));
  CHECK(
      more.find("card.yaml:16:13: error: 'parameters' is 343937, but the tensors add up to 343936 "
                "(1 fewer): embedding 40000, project_in 2560, positions 8320, qkv 67584, "
                "q_norm 96, k_norm 96, attn_out 24576, attn_post_norm 768, up 98304, down 98304, "
                "ffn_post_norm 768, project_out 2560\n") == 0);
  CHECK(error_of(replaced(kEveryKey, "343936", "343935")).find("(1 more)") != std::string::npos);
}

TEST_CASE("card reader: K and V in 16 bits whatever the checkpoint is stored in") {
  std::string text = std::string(kEveryKey);
  text = replaced(text, "weights: bf16", "weights: fp32");
  CHECK(read(text).kv_bytes_per_token == 576);
  CHECK(error_of(replaced(text, "576", "1152")).find("card.yaml:18:30: error:") == 0);
}

TEST_CASE("card reader: formats are known by their aliases too") {
  std::string text = std::string(kEveryKey);
  CHECK(read(replaced(text, "weights: bf16", "weights: bfloat16")).weights == "bfloat16");
}

TEST_CASE("card reader: between two fields only a field that was read is held against another") {
  // 'heads' is unreadable, so 'kv_heads: 2' cannot be blamed for not dividing it.
  const std::string error = error_of(replaced(kEveryKey, "heads: 8", "heads: eight"));
  CHECK(error.find("'heads' must be a whole number") != std::string::npos);
  CHECK(error.find("must divide") == std::string::npos);
}

TEST_CASE("card reader: every problem of every bad card") {
  test::check_bad_files("bad_cards", 33, [](std::string name, std::string text) {
    read_model_card(parse_document(std::move(name), std::move(text)));
  });
}
