#include "roofcast/catalogue/catalogue.hpp"

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace roofcast {
namespace {

namespace fs = std::filesystem;

/// A data folder that lives as long as the test.
class DataFolder {
 public:
  explicit DataFolder(const char* name) : path_(fs::temp_directory_path() / name) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "hw_profiles");
  }
  ~DataFolder() { fs::remove_all(path_); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

  std::string add(const std::string& stem, const std::string& aliases) const {
    const fs::path file = path_ / "hw_profiles" / (stem + ".yaml");
    std::ofstream(file) << "schema: roofcast/hardware/1\nname: " << stem << "\naliases: ["
                        << aliases
                        << "]\nvendor: ACME\narchitecture: my_own\nmemory: {capacity: 8 GiB, "
                           "bandwidth: 100 GB/s}\ncompute: {fp16_tensor: 50 TFLOP/s}\n"
                           "source: made up for a test\n";
    return file.string();
  }

 private:
  fs::path path_;
};

std::string name_of(std::string_view wanted) {
  return Catalogue().hardware(wanted).name;
}

std::string message_of(std::string_view wanted, const Catalogue& catalogue = Catalogue()) {
  try {
    return "found " + catalogue.hardware(wanted).name;
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST_CASE("catalogue: a device answers to its name, its short names and its driver's name") {
  CHECK(name_of("nvidia-a100-sxm4-80gb") == "nvidia-a100-sxm4-80gb");
  CHECK(name_of("a100-sxm4-80") == "nvidia-a100-sxm4-80gb");
  CHECK(name_of("NVIDIA A100-SXM4-80GB") == "nvidia-a100-sxm4-80gb");
  CHECK(name_of("NVIDIA A100-SXM4-40GB") == "nvidia-a100-sxm4-40gb");
  CHECK(name_of("NVIDIA A100 80GB PCIe") == "nvidia-a100-pcie-80gb");
  CHECK(name_of("NVIDIA H100 80GB HBM3") == "nvidia-h100-sxm5-80gb");
  CHECK(name_of("NVIDIA H100 PCIe") == "nvidia-h100-pcie-80gb");
  CHECK(name_of("NVIDIA H100 NVL") == "nvidia-h100-nvl-94gb");
  CHECK(name_of("NVIDIA GH200 480GB") == "nvidia-gh200-96gb");
  CHECK(name_of("NVIDIA B300 SXM6 AC") == "nvidia-b300-sxm-288gb");
  CHECK(name_of("Tesla T4") == "nvidia-t4-16gb");
  CHECK(name_of("NVIDIA RTX 6000 Ada Generation") == "nvidia-rtx-6000-ada-48gb");
  CHECK(name_of("NVIDIA GeForce RTX 4090") == "nvidia-rtx-4090-24gb");
  CHECK(name_of("AMD Instinct MI300X") == "amd-mi300x-oam-192gb");
  CHECK(name_of("Intel(R) Arc(TM) Pro B60 Graphics") == "intel-arc-pro-b60-24gb");
}

// A bare chip name is its SXM form with the most memory that is common: what clouds rent out.
TEST_CASE("catalogue: bare chip names") {
  CHECK(name_of("a100") == "nvidia-a100-sxm4-80gb");
  CHECK(name_of("h100") == "nvidia-h100-sxm5-80gb");
  CHECK(name_of("h200") == "nvidia-h200-sxm-141gb");
  CHECK(name_of("b200") == "nvidia-b200-sxm-180gb");
  CHECK(name_of("v100") == "nvidia-v100-sxm2-32gb");
  CHECK(name_of("gh200") == "nvidia-gh200-96gb");
  CHECK(name_of("4090") == "nvidia-rtx-4090-24gb");
  CHECK(name_of("rtx4090") == "nvidia-rtx-4090-24gb");
}

TEST_CASE("catalogue: case does not matter, parts of names do not match") {
  CHECK(name_of("H100") == "nvidia-h100-sxm5-80gb");
  CHECK(name_of("nvidia geforce rtx 4090") == "nvidia-rtx-4090-24gb");
  CHECK(name_of("l4") == "nvidia-l4-24gb");
  CHECK(name_of("L40") == "nvidia-l40-48gb");
  CHECK(name_of("l40s") == "nvidia-l40s-48gb");
  CHECK(name_of("a10") == "nvidia-a10-24gb");
  CHECK(name_of("a10g") == "nvidia-a10g-24gb");
  CHECK_THROWS_AS(name_of("l"), UsageError);
  CHECK_THROWS_AS(name_of("NVIDIA L4 24GB"), UsageError);
  CHECK_THROWS_AS(name_of(""), UsageError);
}

// M3 Max is sold with 307 and with 410 GB/s, MI250X shows as two devices: choosing one would be a
// guess.
TEST_CASE("catalogue: an ambiguous name is refused, with the choices") {
  const std::string message = message_of("m3-max");
  CHECK(message.find("unknown device 'm3-max'; did you mean ") == 0);
  CHECK(message.find("'m3-max-30'") != std::string::npos);
  CHECK(message.find("'m3-max-40'") != std::string::npos);
  CHECK(message_of("mi250x").find("'mi250x-gcd'") != std::string::npos);
}

TEST_CASE("catalogue: an unknown name brings up to three devices, each once") {
  const std::string message = message_of("a100-sxm4-81");
  CHECK(message.find("'a100-sxm4-80'") != std::string::npos);
  CHECK(message.find("'a100-sxm4-40'") != std::string::npos);
  // The other spellings of these two would only crowd out the third.
  CHECK(message.find("'nvidia-a100-sxm4-80gb'") == std::string::npos);
  CHECK(std::count(message.begin(), message.end(), '\'') <= 2 + 3 * 2);
  CHECK(message_of("qqqqqqqq") == "unknown device 'qqqqqqqq'; 'roofcast hardware' lists them");
}

// An alias with a slash is a name before it is a path.
TEST_CASE("catalogue: a model answers to its name and to its repository") {
  CHECK(Catalogue().model("llama-2-7b").card.name == "llama-2-7b");
  CHECK(Catalogue().model("meta-llama/Llama-2-7b-hf").card.name == "llama-2-7b");
  CHECK(Catalogue().model("LLAMA-2-7B").card.layers == 32);
  try {
    static_cast<void>(Catalogue().model("lama-2-7b"));
    FAIL("'lama-2-7b' was found");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("unknown model 'lama-2-7b'; did you mean 'llama-2-7b'") ==
          0);
  }
}

TEST_CASE("catalogue: no name belongs to two devices or two models") {
  for (const auto entries : {embedded_profiles(), embedded_cards()}) {
    std::set<std::string> seen;
    for (const CatalogueEntry& entry : entries) {
      std::vector<std::string_view> names(entry.aliases.begin(), entry.aliases.end());
      names.push_back(entry.name);
      for (const std::string_view name : names) {
        std::string folded(name);
        std::transform(folded.begin(), folded.end(), folded.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        INFO(folded);
        CHECK(seen.insert(folded).second);
      }
    }
  }
}

TEST_CASE("catalogue: embedded texts are the files, in the order of their names") {
  const auto profiles = embedded_profiles();
  CHECK(std::is_sorted(profiles.begin(), profiles.end(),
                       [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const CatalogueEntry& entry : profiles) {
    std::ifstream file(fs::path(ROOFCAST_SOURCE_DIR) / entry.file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    INFO(std::string(entry.file));
    CHECK(text == entry.text);
  }
}

TEST_CASE("catalogue: a file is read from its path") {
  const DataFolder folder("roofcast_catalogue_path");
  const std::string path = folder.add("my-gpu", "mine");
  CHECK(name_of(path) == "my-gpu");
  CHECK(message_of("no/such/file.yaml") == "no such file or device: 'no/such/file.yaml'");
  CHECK(message_of("missing.yaml") == "no such file or device: 'missing.yaml'");
  CHECK_THROWS_AS(name_of(folder.path() + "/"), InputError);
}

TEST_CASE("catalogue: data folders come after what is embedded") {
  const DataFolder folder("roofcast_catalogue_folder");
  folder.add("my-gpu", "mine, \"My Driver\"");
  const Catalogue catalogue({folder.path(), "/no/such/folder"});
  CHECK(catalogue.hardware("my-gpu").name == "my-gpu");
  CHECK(catalogue.hardware("my driver").name == "my-gpu");
  CHECK(catalogue.hardware("h100").name == "nvidia-h100-sxm5-80gb");
  CHECK(catalogue.all_hardware().size() == embedded_profiles().size() + 1);
  CHECK(message_of("my-gpo", catalogue).find("'my-gpu'") != std::string::npos);
}

// "h100" must mean one device on every machine; the rest of such a file is as good as any.
TEST_CASE("catalogue: a name that comes with roofcast stays so, and nothing else breaks") {
  const DataFolder folder("roofcast_catalogue_taken");
  const std::string path = folder.add("my-gpu", "mine, H100");
  const Catalogue catalogue({folder.path()});
  CHECK(catalogue.hardware("h100").name == "nvidia-h100-sxm5-80gb");
  CHECK(catalogue.hardware("mine").name == "my-gpu");
  CHECK(catalogue.all_hardware().size() == embedded_profiles().size() + 1);
  // The third line of the file is "aliases: [mine, H100]".
  REQUIRE(catalogue.warnings().size() == 1);
  CHECK(catalogue.warnings().front() ==
        path +
            ":3:17: 'H100' is a name of hw_profiles/nvidia-h100-sxm5-80gb.yaml, which comes with "
            "roofcast, and stays so; give this file another");
}

TEST_CASE("catalogue: of two files with one name the first has it") {
  const DataFolder folder("roofcast_catalogue_twice");
  const std::string first = folder.add("a-gpu", "mine");
  const std::string second = folder.add("b-gpu", "mine");
  const Catalogue catalogue({folder.path()});
  CHECK(catalogue.hardware("mine").name == "a-gpu");
  CHECK(catalogue.hardware("b-gpu").name == "b-gpu");
  REQUIRE(catalogue.warnings().size() == 1);
  CHECK(catalogue.warnings().front() ==
        second + ":3:11: 'mine' is a name of " + first + ", and stays so; give this file another");
}

TEST_CASE("catalogue: a folder that does not exist is a warning") {
  CHECK(Catalogue().warnings().empty());
  CHECK(Catalogue({"/no/such/folder"}).warnings() ==
        std::vector<std::string>{"there is no data folder '/no/such/folder'"});
}

std::string model_message(const std::string& wanted) {
  try {
    return "found " + Catalogue().model(wanted).card.name;
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST_CASE("catalogue: a repository that is nearly known brings the one that is") {
  CHECK(model_message("meta-llama/Llama-2-7b").find("did you mean 'meta-llama/Llama-2-7b-hf'") !=
        std::string::npos);
  CHECK(model_message("./meta-llama") == "no such file or model: './meta-llama'");
}

TEST_CASE("catalogue: what this version does not read is said, not guessed at") {
  for (const char* file : {"config.json", "dir/model.gguf", "model.safetensors", "/"})
    CHECK(model_message(file).find("is not read in this version; write a card") !=
          std::string::npos);
  for (const char* name : {"mixtral-8x7b", "deepseek-v3", "deepseek-ai/DeepSeek-R1", "gpt-oss-20b"})
    CHECK(model_message(name).find("mixtures of experts are not part") != std::string::npos);
}

// What an installation puts in share/: the very files that are embedded. An edited one is no copy.
TEST_CASE("catalogue: copies of the embedded files are no second claim to their names") {
  const DataFolder folder("roofcast_catalogue_copies");
  const fs::path copies = fs::path(folder.path()) / "hw_profiles";
  fs::copy(fs::path(ROOFCAST_SOURCE_DIR) / "hw_profiles", copies);
  CHECK(Catalogue({folder.path()}).all_hardware().size() == embedded_profiles().size());
  CHECK(Catalogue({folder.path()}).warnings().empty());
  std::ofstream(copies / "nvidia-t4-16gb.yaml", std::ios::app) << "# edited\n";
  CHECK(Catalogue({folder.path()}).all_hardware().size() == embedded_profiles().size());
  CHECK_FALSE(Catalogue({folder.path()}).warnings().empty());
}

TEST_CASE("catalogue: a malformed file is reported, not skipped") {
  const DataFolder folder("roofcast_catalogue_broken");
  std::ofstream(fs::path(folder.path()) / "hw_profiles" / "broken.yaml") << "name: broken\n";
  const Catalogue catalogue({folder.path()});
  CHECK_THROWS_AS(static_cast<void>(catalogue.hardware("broken")), InputError);
  // It does not stand in the way of the others.
  CHECK(catalogue.all_hardware().size() == embedded_profiles().size());
  REQUIRE(catalogue.warnings().size() == 1);
  CHECK(catalogue.warnings().front().find("broken.yaml") != std::string::npos);
}

}  // namespace
}  // namespace roofcast
