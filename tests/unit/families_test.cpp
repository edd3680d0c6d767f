#include "roofcast/base/error.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/parameter_count.hpp"

#include <string>
#include <vector>

#include "support/cards.hpp"
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace roofcast;

namespace {

/// "qkv 12288x4096 +bias", "attn_norm 4096", "attention 32:8x128 window 4096": one module a line.
std::string describe(const Module& module) {
  std::string text(module.name);
  const AttentionShape& shape = module.attention;
  if (shape.heads > 0)
    text += fmt::format(" {}:{}x{}", shape.heads, shape.kv_heads, shape.key_dim);
  if (shape.window)
    text += fmt::format(" window {}", *shape.window);
  if (module.rows > 0)
    text += fmt::format(" {}x{}", module.rows, module.columns);
  if (module.rows == 0 && module.columns > 0)
    text += fmt::format(" {}", module.columns);
  if (module.gated)
    text += " gated";
  if (module.bias)
    text += " +bias";
  if (!module.weight)
    text += " no weight";
  return text;
}

std::vector<std::string> listing(const std::vector<Module>& modules) {
  std::vector<std::string> lines;
  for (const Module& module : modules)
    lines.push_back(describe(module));
  return lines;
}

std::vector<std::string> layer_names(const Model& model) {
  std::vector<std::string> names;
  for (const Module& module : model.groups.front().modules)
    names.emplace_back(module.name);
  return names;
}

const Module& find(const std::vector<Module>& modules, std::string_view name) {
  for (const Module& module : modules) {
    if (module.name == name)
      return module;
  }
  FAIL("no module " << std::string(name));
  throw InternalError("unreachable: FAIL throws");
}

using Lines = std::vector<std::string>;

/// Small and odd, so that no two widths agree by chance.
ModelCard tiny(std::string family) {
  return test::make_card("tiny", std::move(family), "bf16",
                         {.vocabulary = 1000,
                          .hidden = 60,
                          .layers = 7,
                          .heads = 6,
                          .kv_heads = 2,
                          .head_dim = 16,
                          .intermediate = 250,
                          .context = 128,
                          .parameters = 1});
}

}  // namespace

TEST_CASE("families: exactly these are registered, none twice") {
  // A registrar that the linker drops vanishes without a word; this list notices.
  const std::vector<std::string_view> expected = {
      "baichuan", "bloom",    "chatglm",   "cohere",  "exaone",      "exaone4",   "falcon",
      "gemma",    "gemma2",   "gemma3",    "gpt2",    "gpt_bigcode", "gpt_neox",  "gptj",
      "granite",  "internlm", "internlm2", "llama",   "mistral",     "mpt",       "nemotron",
      "olmo",     "olmo2",    "opt",       "orion",   "phi",         "phi3",      "qwen",
      "qwen2",    "qwen3",    "seed_oss",  "smollm3", "stablelm",    "starcoder2"};
  CHECK(Architectures::instance().names() == expected);
  CHECK(Architectures::instance().duplicates().empty());
  for (const auto& entry : Architectures::instance().entries()) {
    CAPTURE(entry.first);
    CHECK((entry.second.build != nullptr));
    CHECK_FALSE(entry.second.summary.empty());
  }
}

TEST_CASE("families: Llama 2 7B, step by step") {
  // Q, K and V 3 x 32 x 128 = 12,288 rows; gate and up 2 x 11,008 = 22,016 rows.
  const Model model = build_model(test::llama_2_7b_card());
  CHECK(listing(model.before) == Lines{"embedding 32000x4096"});
  REQUIRE(model.groups.size() == 1);
  CHECK(model.groups[0].count == 32);
  CHECK(listing(model.groups[0].modules) ==
        Lines{"attn_norm 4096", "qkv 12288x4096", "rope_kv 32:32x128", "attention 32:32x128",
              "attn_out 4096x4096", "ffn_norm 4096", "gate_up 22016x4096", "activation 11008 gated",
              "down 4096x11008"});
  CHECK(listing(model.after) == Lines{"final_norm 4096", "head 32000x4096"});
  CHECK(find(model.groups[0].modules, "qkv").parts == 3);
  CHECK(find(model.groups[0].modules, "gate_up").parts == 2);
  CHECK(find(model.groups[0].modules, "down").parts == 1);
}

TEST_CASE("families: Llama 3.1 8B has 8 heads of K and V") {
  // rows of qkv: (32 + 8 + 8) x 128 = 6,144, not 12,288
  const Model model = build_model(test::llama_3_1_8b_card());
  CHECK(find(model.groups[0].modules, "qkv").rows == 6144);
  CHECK(find(model.groups[0].modules, "attention").attention.kv_elements() == 8 * (128 + 128));
}

TEST_CASE("families: GPT-2, step by step") {
  const Model model = build_model(test::gpt2_card());
  CHECK(listing(model.before) == Lines{"embedding 50257x768", "positions 1024x768"});
  CHECK(listing(model.groups.at(0).modules) ==
        Lines{"attn_norm 768 +bias", "qkv 2304x768 +bias", "kv_append 12:12x64",
              "attention 12:12x64", "attn_out 768x768 +bias", "ffn_norm 768 +bias",
              "up 3072x768 +bias", "activation 3072", "down 768x3072 +bias"});
  // Tied: the table is the head, which has no weight of its own.
  CHECK(listing(model.after) == Lines{"final_norm 768 +bias", "head 50257x768 no weight"});
}

TEST_CASE("families: Falcon 7B has one norm and one head of K and V, 40B a norm for each block") {
  ModelCard card = test::make_card("falcon-7b", "falcon", "bf16",
                                   {.vocabulary = 65024,
                                    .hidden = 4544,
                                    .layers = 32,
                                    .heads = 71,
                                    .kv_heads = 1,
                                    .head_dim = 64,
                                    .intermediate = 18176,
                                    .context = 2048,
                                    .parameters = 6'921'720'704});
  card.feed_forward.gated = false;
  card.tied_embeddings = true;
  // (71 + 1 + 1) x 64 = 4,672 rows
  const Model small = build_model(card);
  CHECK(listing(small.groups.at(0).modules) ==
        Lines{"attn_norm 4544 +bias", "qkv 4672x4544", "rope_kv 71:1x64", "attention 71:1x64",
              "attn_out 4544x4544", "up 18176x4544", "activation 18176", "down 4544x18176"});
  CHECK(listing(small.after) == Lines{"final_norm 4544 +bias", "head 65024x4544 no weight"});

  card.hidden = 8192;
  card.attention.heads = 128;
  card.attention.kv_heads = 8;
  card.feed_forward.intermediate = 32768;
  // (128 + 8 + 8) x 64 = 9,216 rows
  const Model large = build_model(card);
  CHECK(listing(large.groups.at(0).modules) ==
        Lines{"attn_norm 8192 +bias", "qkv 9216x8192", "rope_kv 128:8x64", "attention 128:8x64",
              "attn_out 8192x8192", "ffn_norm 8192 +bias", "up 32768x8192", "activation 32768",
              "down 8192x32768"});
}

TEST_CASE("families: Gemma 2 2B has four norms, and windows in every second layer") {
  ModelCard card = test::make_card("gemma-2-2b", "gemma2", "bf16",
                                   {.vocabulary = 256000,
                                    .hidden = 2304,
                                    .layers = 26,
                                    .heads = 8,
                                    .kv_heads = 4,
                                    .head_dim = 256,
                                    .intermediate = 9216,
                                    .context = 8192,
                                    .parameters = 2'614'341'888});
  card.tied_embeddings = true;
  card.attention.window = 4096;
  const Model model = build_model(card);
  REQUIRE(model.groups.size() == 2);
  CHECK(model.groups[0].count == 13);
  CHECK(model.groups[1].count == 13);
  // (8 + 4 + 4) x 256 = 4,096 rows; the output of attention is 8 x 256 = 2,048 wide, not 2,304.
  CHECK(listing(model.groups[0].modules) ==
        Lines{"attn_norm 2304", "qkv 4096x2304", "rope_kv 8:4x256 window 4096",
              "attention 8:4x256 window 4096", "attn_out 2304x2048", "attn_post_norm 2304",
              "ffn_norm 2304", "gate_up 18432x2304", "activation 9216 gated", "down 2304x9216",
              "ffn_post_norm 2304"});
  CHECK(describe(find(model.groups[1].modules, "attention")) == "attention 8:4x256");
  CHECK(count_parameters(model).total == 2'614'341'888);
}

TEST_CASE("families: windows cover all layers, the family's rhythm, or the card's") {
  const auto groups = [](const std::string& family, std::optional<std::int64_t> window,
                         std::optional<std::int64_t> full_every) {
    ModelCard card = tiny(family);
    card.attention.window = window;
    card.attention.full_every = full_every;
    std::vector<std::pair<std::int64_t, bool>> result;
    for (const LayerGroup& group : build_model(card).groups) {
      result.emplace_back(group.count,
                          find(group.modules, "attention").attention.window.has_value());
    }
    return result;
  };
  using Groups = std::vector<std::pair<std::int64_t, bool>>;
  CHECK(groups("mistral", std::nullopt, std::nullopt) == Groups{{7, false}});
  CHECK(groups("mistral", 32, std::nullopt) == Groups{{7, true}});
  CHECK(groups("mistral", 32, 2) == Groups{{4, true}, {3, false}});  // full: layers 2, 4, 6 of 7
  CHECK(groups("gemma2", 32, std::nullopt) == Groups{{4, true}, {3, false}});
  CHECK(groups("gemma3", 32, std::nullopt) == Groups{{6, true}, {1, false}});   // full: layer 6
  CHECK(groups("exaone4", 32, std::nullopt) == Groups{{6, true}, {1, false}});  // full: layer 4
  CHECK(groups("gemma3", 32, 7) == Groups{{6, true}, {1, false}});
  CHECK(groups("gemma2", std::nullopt, std::nullopt) == Groups{{7, false}});
}

TEST_CASE("families: norms of Q and K") {
  // Qwen 3: one vector of head_dim each, shared by all heads.
  const Model qwen = build_model(tiny("qwen3"));
  CHECK(describe(find(qwen.groups[0].modules, "q_norm")) == "q_norm 6x16");
  CHECK(describe(find(qwen.groups[0].modules, "k_norm")) == "k_norm 2x16");
  // OLMo 2: over the full width, 6 x 16 and 2 x 16.
  const Model olmo = build_model(tiny("olmo2"));
  CHECK(describe(find(olmo.groups[0].modules, "q_norm")) == "q_norm 1x96");
  CHECK(describe(find(olmo.groups[0].modules, "k_norm")) == "k_norm 1x32");
  // Their weights: 16 + 16 against 96 + 32 a layer, and 7 layers.
  ModelCard plain = tiny("qwen3");
  plain.attention.qk_norm = false;
  const std::int64_t without = count_parameters(build_model(plain)).total;
  CHECK(count_parameters(qwen).total - without == 7 * (16 + 16));
  ModelCard command_r = tiny("cohere");
  const std::int64_t small = count_parameters(build_model(command_r)).total;
  command_r.attention.qk_norm = true;  // Command R+
  CHECK(count_parameters(build_model(command_r)).total - small == 7 * (96 + 32));
}

TEST_CASE("families: which linear layers have a bias, and what a card can say about it") {
  const auto biased = [](const std::string& family, std::optional<bool> asked) {
    ModelCard card = tiny(family);
    card.attention.bias = asked;
    const Model model = build_model(card);
    const std::vector<Module>& layer = model.groups[0].modules;
    return std::pair(find(layer, "qkv").bias, find(layer, "attn_out").bias);
  };
  using Pair = std::pair<bool, bool>;
  CHECK(biased("llama", std::nullopt) == Pair(false, false));
  CHECK(biased("llama", true) == Pair(true, true));
  CHECK(biased("qwen", std::nullopt) == Pair(true, false));
  CHECK(biased("qwen2", std::nullopt) == Pair(true, false));
  CHECK(biased("qwen2", true) == Pair(true, false));
  CHECK(biased("qwen2", false) == Pair(false, false));
  CHECK(biased("chatglm", std::nullopt) == Pair(true, false));
  CHECK(biased("seed_oss", std::nullopt) == Pair(true, false));
  CHECK(biased("stablelm", std::nullopt) == Pair(false, false));
  CHECK(biased("stablelm", true) == Pair(true, false));
  CHECK(biased("internlm", std::nullopt) == Pair(true, true));
  CHECK(biased("gptj", std::nullopt) == Pair(false, false));
  CHECK(biased("phi", std::nullopt) == Pair(true, true));
  CHECK(biased("starcoder2", std::nullopt) == Pair(true, true));
}

TEST_CASE("families: biases of the feed-forward and of the head") {
  ModelCard card = tiny("llama");
  const std::int64_t without = count_parameters(build_model(card)).total;
  card.feed_forward.bias = true;
  // gate and up 2 x 250, down 60
  CHECK(count_parameters(build_model(card)).total - without == 7 * (2 * 250 + 60));
  for (const char* family : {"phi", "gptj"})
    CHECK(find(build_model(tiny(family)).after, "head").bias);
  CHECK_FALSE(find(build_model(tiny("gpt_neox")).after, "head").bias);
}

TEST_CASE("families: blocks behind one norm, norms behind the blocks, norms without weights") {
  CHECK(layer_names(build_model(tiny("phi"))) == Lines{"attn_norm", "qkv", "rope_kv", "attention",
                                                       "attn_out", "gate_up", "activation",
                                                       "down"});
  CHECK(layer_names(build_model(tiny("exaone4"))) ==
        Lines{"qkv", "q_norm", "k_norm", "rope_kv", "attention", "attn_out", "attn_post_norm",
              "gate_up", "activation", "down", "ffn_post_norm"});
  const Model olmo = build_model(tiny("olmo"));
  CHECK(describe(find(olmo.groups[0].modules, "attn_norm")) == "attn_norm 60 no weight");
  CHECK(describe(find(build_model(tiny("mpt")).after, "final_norm")) == "final_norm 60");
  CHECK(describe(find(build_model(tiny("orion")).after, "final_norm")) == "final_norm 60 +bias");
  CHECK(describe(find(build_model(tiny("bloom")).before, "embedding_norm")) ==
        "embedding_norm 60 +bias");
}

TEST_CASE("families: V may be narrower than K") {
  ModelCard card = tiny("llama");
  card.attention.value_dim = 8;
  const Model model = build_model(card);
  // 6 x 16 + 2 x (16 + 8) = 144 rows; the output of attention is 6 x 8 = 48 wide
  CHECK(find(model.groups[0].modules, "qkv").rows == 144);
  CHECK(find(model.groups[0].modules, "attn_out").columns == 48);
}

TEST_CASE("families: OPT-350M projects a narrow table, has post-norms and no norm at the end") {
  ModelCard card = tiny("opt");
  card.feed_forward.gated = false;
  card.position_rows = 130;
  card.tied_embeddings = true;
  CHECK(listing(build_model(card).after) == Lines{"final_norm 60 +bias", "head 1000x60 no weight"});
  card.embedding_dim = 20;
  const Model model = build_model(card);
  CHECK(listing(model.before) ==
        Lines{"embedding 1000x20", "project_in 60x20", "positions 130x60"});
  CHECK(layer_names(model) == Lines{"qkv", "kv_append", "attention", "attn_out", "attn_post_norm",
                                    "up", "activation", "down", "ffn_post_norm"});
  CHECK(listing(model.after) == Lines{"project_out 20x60", "head 1000x20 no weight"});
}

TEST_CASE("families: a fact that the family has no use for is refused") {
  ModelCard card = tiny("gpt2");
  CHECK_THROWS_WITH_AS(build_model(card),
                       "family 'gpt2' adds learned positions: 'position_rows' is missing",
                       ConfigError);
  card = tiny("llama");
  card.position_rows = 128;
  CHECK_THROWS_WITH_AS(build_model(card),
                       "family 'llama' has no learned positions, but 'position_rows' is set",
                       ConfigError);
  card = tiny("llama");
  card.embedding_dim = 32;
  CHECK_THROWS_WITH_AS(
      build_model(card),
      "family 'llama' has a token table as wide as the model, but 'embedding_dim' is set",
      ConfigError);
}
