#include "roofcast/model/architecture.hpp"
#include "roofcast/model/kv_cache.hpp"
#include "roofcast/model/parameter_count.hpp"
#include "roofcast/model/readers/card_yaml.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace roofcast;

namespace {

const std::filesystem::path kFolder = std::filesystem::path(ROOFCAST_SOURCE_DIR) / "model_cards";

ModelCard load(const std::filesystem::path& path) {
  return read_model_card(read_document(path.string()));
}

Model model_of(const std::string& name) {
  return build_model(load(kFolder / (name + ".yaml")));
}

std::vector<std::filesystem::path> card_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

double kv_growth(const Model& model, std::int64_t context) {
  return kv_bytes_per_token(model, number_format("bf16"), context).value();
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

struct Published {
  const char* card;
  std::int64_t parameters;
  std::int64_t kv_bytes_per_token;  ///< K and V in 16 bits, no window full; 0: not published
  const char* source;
};

// Written down from the sources, not from the cards: a slip in a card that happens to fit its own
// tensors is caught here. Where a source counts what is stored, the term between is named.
constexpr const char* kHub = "Hugging Face Hub safetensors metadata, 2026-09-25";
constexpr const char* kKeras = "keras-hub presets, 2026";
constexpr const char* kPythia = "Pythia model cards, parameter table";
constexpr const char* kTogether = "Together Python client, finetune.py";
constexpr const char* kProvenance = "Nikolic et al. 2025, Model Provenance Testing, table 4";
constexpr const char* kCalflops = "calculate-flops.pytorch README";
constexpr Published kPublished[] = {
    {"llama-7b", 6'738'415'616, 524'288, kCalflops},
    {"llama-2-7b", 6'738'415'616, 524'288, kKeras},
    {"llama-2-13b", 13'015'864'320, 819'200, kTogether},
    {"llama-2-70b", 68'976'648'192, 327'680, kTogether},
    {"code-llama-7b", 6'738'546'688, 0, kTogether},
    {"code-llama-13b", 13'016'028'160, 0, kTogether},
    {"llama-3-8b", 8'030'261'248, 131'072, kHub},
    {"llama-3-70b", 70'553'706'496, 327'680, kHub},
    {"llama-3.1-8b", 8'030'261'248, 131'072, kHub},
    {"llama-3.1-405b", 405'853'388'800, 516'096, kHub},
    {"llama-3.2-1b", 1'235'814'400, 32'768, kProvenance},
    {"llama-3.2-3b", 3'212'749'824, 114'688, kProvenance},
    {"tinyllama-1.1b", 1'100'048'384, 22'528, kProvenance},
    {"smollm2-1.7b", 1'711'376'384, 196'608, kHub},
    {"smollm3-3b", 3'075'098'624, 73'728, kHub},
    {"mistral-7b-v0.1", 7'241'732'096, 131'072, kKeras},
    {"mistral-7b-v0.3", 7'248'023'552, 131'072, kHub},
    {"mistral-nemo-12b", 12'247'782'400, 0, kHub},
    {"mistral-small-24b", 23'572'403'200, 163'840, "Devstral-Small-2507 index, the same shape"},
    {"mistral-large-123b", 122'610'069'504, 360'448, kHub},
    {"qwen-7b", 7'721'324'544, 524'288, kCalflops},
    {"qwen2-0.5b", 494'032'768, 0, kProvenance},
    {"qwen2.5-1.5b", 1'543'714'304, 0, kProvenance},
    {"qwen2.5-3b", 3'085'938'688, 36'864, kHub},
    {"qwen2.5-7b", 7'615'616'512, 57'344, kHub},
    {"qwen2.5-14b", 14'770'033'664, 196'608, "model.safetensors.index.json of a copy"},
    {"qwen2.5-72b", 72'706'203'648, 327'680, kHub},
    {"qwen3-0.6b", 751'632'384 - 151'936 * 1024, 114'688, "Hub, less the stored tied head"},
    {"qwen3-4b", 4'022'468'096, 147'456, kHub},
    {"qwen3-8b", 8'190'735'360, 147'456, kHub},
    {"qwen3-32b", 32'762'123'264, 262'144, kHub},
    {"gemma-2b", 2'506'172'416, 18'432, kKeras},
    {"gemma-7b", 8'537'680'896, 0, kKeras},
    {"gemma-2-2b", 2'614'341'888, 106'496, kKeras},
    {"gemma-2-9b", 9'241'705'984, 0, kKeras},
    {"gemma-2-27b", 27'227'128'320, 376'832, kKeras},
    {"gemma-3-1b", 999'885'952, 26'624, kKeras},
    {"gemma-3-12b", 11'765'788'416 + 64 * 3840, 393'216, "keras-hub, plus 64 rows of the table"},
    {"phi-2", 2'779'683'840, 327'680, kProvenance},
    {"phi-3-mini", 3'821'079'552, 393'216, kHub},
    {"phi-4", 14'659'507'200, 204'800, kHub},
    {"phi-4-mini", 3'836'021'760, 131'072, kHub},
    {"gpt2", 124'439'808, 0, kKeras},
    {"gpt2-medium", 354'823'168, 0, kKeras},
    {"gpt2-large", 774'030'080, 0, kKeras},
    {"gpt2-xl", 1'557'611'200, 0, kKeras},
    {"opt-125m", 125'239'296, 36'864, kProvenance},
    {"bloom-560m", 559'214'592, 0, kKeras},
    {"bloom-7b1", 7'069'016'064, 0, kCalflops},
    {"bloom-176b", 176'247'271'424, 4'014'080, "model.safetensors.index.json"},
    {"gpt-neox-20b", 20'554'567'680, 1'081'344, "model card"},
    {"pythia-70m", 70'426'624, 12'288, kPythia},
    {"pythia-1.4b", 1'414'647'808, 196'608, kPythia},
    {"pythia-6.9b", 6'857'302'016, 524'288, kPythia},
    {"pythia-12b", 11'846'072'320, 737'280, kPythia},
    {"falcon-7b", 7'217'189'760 - 65'024LL * 4544, 8'192, "Hub, less the stored tied head"},
    {"falcon-40b", 41'835'970'560 - 65'024LL * 8192, 122'880, "index, less the stored tied head"},
    {"mpt-7b", 6'649'286'656, 524'288, "pytorch_model.bin.index.json of a copy"},
    {"internlm2-7b", 7'737'708'544, 131'072, kHub},
    {"internlm2-20b", 19'861'149'696, 196'608, kHub},
    {"baichuan-13b", 13'264'901'120, 0, "Baichuan-13B README"},
    {"chatglm2-6b", 6'243'584'000, 28'672, kCalflops},
    {"starcoder2-15b", 15'957'889'024 - 49'152LL * 6144, 81'920, "Hub, less the stored tied head"},
    {"olmo-2-7b", 7'298'617'344, 524'288, kHub},
    {"aya-23-8b", 8'028'033'024, 131'072, "Hub, aya-expanse-8b, the same shape"},
    {"granite-3.3-8b", 8'170'864'640, 163'840, kHub},
    {"seed-oss-36b", 36'151'104'512, 262'144, kHub},
};

}  // namespace

TEST_CASE("cards: every file loads, under its own name, with a source and its census") {
  const std::vector<std::filesystem::path> files = card_files();
  CHECK(files.size() >= 148);  // a lost file must be noticed
  for (const std::filesystem::path& file : files) {
    CAPTURE(file.filename().string());
    REQUIRE(file.extension() == ".yaml");
    const ModelCard card = load(file);  // the reader holds census and checks against the card
    CHECK(card.name == file.stem().string());
    CHECK(card.source.find("config.json") != std::string::npos);
    const Model model = build_model(card);
    CHECK(count_parameters(model).total == card.parameters);
    CHECK(card.context >= 1024);
  }
}

TEST_CASE("cards: weights in 16 bits take two bytes for each parameter") {
  for (const std::filesystem::path& file : card_files()) {
    const ModelCard card = load(file);
    CAPTURE(card.name);
    const PrecisionPlan plan = plan_precision(card, {.weights = "bf16",
                                                     .activations = "bf16",
                                                     .kv = "bf16",
                                                     .embedding = "bf16",
                                                     .head = "bf16"});
    const Bytes total = weight_bytes(build_model(card), plan).total();
    CHECK(total == bytes(2.0 * static_cast<double>(card.parameters)));
  }
}

TEST_CASE("cards: no name or alias is claimed twice") {
  std::map<std::string, std::string> owners;
  for (const std::filesystem::path& file : card_files()) {
    const ModelCard card = load(file);
    std::vector<std::string> names = card.aliases;
    names.push_back(card.name);
    for (const std::string& name : names) {
      const auto owner = owners.emplace(lower(name), card.name);
      CHECK_MESSAGE(owner.second,
                    name << " is claimed by " << owner.first->second << " and " << card.name);
    }
  }
}

TEST_CASE("cards: every family has a model") {
  std::set<std::string, std::less<>> used;
  for (const std::filesystem::path& file : card_files())
    used.insert(load(file).family);
  for (const std::string_view family : Architectures::instance().names()) {
    CAPTURE(family);
    CHECK(used.count(family) == 1);
  }
}

TEST_CASE("cards: parameters and KV bytes per token as published") {
  for (const Published& published : kPublished) {
    CAPTURE(published.card);
    CAPTURE(published.source);
    const Model model = model_of(published.card);
    CHECK(count_parameters(model).total == published.parameters);
    if (published.kv_bytes_per_token > 0)
      CHECK(kv_growth(model, 1) == static_cast<double>(published.kv_bytes_per_token));
  }
}

TEST_CASE("cards: beyond their windows only the full layers grow") {
  // From each config.json: layers that are full x 2 x kv_heads x head_dim x 2 bytes.
  CHECK(kv_growth(model_of("mistral-7b-v0.1"), 4096) == 0);
  CHECK(kv_growth(model_of("mistral-7b-v0.2"), 4096) == 32 * 2 * 8 * 128 * 2);
  CHECK(kv_growth(model_of("gemma-2-27b"), 4096) == 23 * 2 * 16 * 128 * 2);
  CHECK(kv_growth(model_of("gemma-3-1b"), 512) == 4 * 2 * 1 * 256 * 2);      // 26 layers, 1 in 6
  CHECK(kv_growth(model_of("gemma-3-27b"), 1024) == 10 * 2 * 16 * 128 * 2);  // 62 layers, 1 in 6
  CHECK(kv_growth(model_of("exaone-4.0-32b"), 4096) == 16 * 2 * 8 * 128 * 2);
  CHECK(kv_growth(model_of("phi-3-mini"), 2047) == 0);
  CHECK(kv_growth(model_of("qwen2.5-7b"), 131072) == 28 * 2 * 4 * 128 * 2);  // switched off
}

TEST_CASE("cards: Llama 2 7B in FP16, to the byte") {
  // Published: 13,476,831,232 bytes of weights; 524,288 bytes of K and V a token, 2 GiB at 4,096.
  const Model model = model_of("llama-2-7b");
  CHECK(weight_bytes(model, plan_precision(model.card, {})).total() == bytes(13'476'831'232.0));
  CHECK(kv_bytes(model, number_format("fp16"), 4096) == bytes(2'147'483'648.0));
}
