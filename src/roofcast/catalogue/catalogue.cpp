#include "roofcast/catalogue/catalogue.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/input/document.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/readers/card_yaml.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace roofcast {
namespace {

namespace fs = std::filesystem;

/// What differs between models and devices.
struct Kind {
  std::string_view noun;     ///< "model"
  std::string_view command;  ///< lists them
  std::string_view folder;   ///< below a data folder
  std::span<const CatalogueEntry> (*embedded)();
};

constexpr Kind kModels = {"model", "models", "model_cards", embedded_cards};
constexpr Kind kDevices = {"device", "hardware", "hw_profiles", embedded_profiles};

constexpr std::size_t kLargestFile = std::size_t{1} << 20;

/// A file of a data folder with the names that it claims.
struct FolderFile {
  Document document;
  std::string name;  ///< empty: another file has it, and this one is found by its aliases alone
  std::vector<std::string> aliases;
};

/// What the data folders hold of one kind.
struct FolderFiles {
  std::vector<FolderFile> files;
  std::vector<std::string> warnings;  ///< files that cannot be read, names that are taken
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

template <class Entry>
bool answers_to(const Entry& entry, std::string_view wanted) {
  return (!wanted.empty() && same_name(entry.name, wanted)) ||
         std::any_of(entry.aliases.begin(), entry.aliases.end(),
                     [&](const auto& alias) { return same_name(alias, wanted); });
}

const CatalogueEntry* find_embedded(const Kind& kind, std::string_view wanted) {
  for (const CatalogueEntry& entry : kind.embedded()) {
    if (answers_to(entry, wanted))
      return &entry;
  }
  return nullptr;
}

Document parse_entry(const CatalogueEntry& entry) {
  return parse_document(std::string(entry.file), std::string(entry.text));
}

std::vector<std::string> yaml_files(const fs::path& folder) {
  std::vector<std::string> paths;
  std::error_code ignored;  // a folder that is not there holds nothing
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    if (at->path().extension() == ".yaml")
      paths.push_back(at->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The file that `name` means already; empty when it is free.
std::string owner_of(const Kind& kind, const std::vector<FolderFile>& earlier,
                     std::string_view name) {
  if (const CatalogueEntry* entry = find_embedded(kind, name))
    return std::string(entry->file) + ", which comes with roofcast";
  for (const FolderFile& file : earlier) {
    if (answers_to(file, name))
      return file.document.file;
  }
  return "";
}

/// Names only: whether the rest of the file is right is told when it is asked for. A name that is
/// taken stays with its owner.
FolderFile open_folder_file(const Kind& kind, const std::string& path, FolderFiles& found) {
  FolderFile file{read_document(path), "", {}};
  const auto is_free = [&](const Node& name) {
    const std::string owner = owner_of(kind, found.files, name.scalar);
    if (!owner.empty()) {
      found.warnings.push_back(
          fmt::format("{}:{}:{}: '{}' is a name of {}, and stays so; give this file another", path,
                      name.at.line, name.at.column, printable(name.scalar), owner));
    }
    return owner.empty();
  };
  const Node* name = file.document.root.find("name");
  if (name && name->kind == Node::Kind::scalar && is_free(*name))
    file.name = name->scalar;
  if (const Node* aliases = file.document.root.find("aliases")) {
    for (const auto& alias : aliases->items) {
      if (is_free(*alias))
        file.aliases.push_back(alias->scalar);
    }
  }
  return file;
}

/// An installation puts the embedded files beside the program as well, to be read and copied by
/// people.
bool is_embedded_copy(const Kind& kind, const std::string& path) {
  const std::string file = std::string(kind.folder) + '/' + fs::path(path).filename().string();
  const auto entries = kind.embedded();
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [&](const CatalogueEntry& entry) { return entry.file == file; });
  return at != entries.end() && read_file(path, kLargestFile) == at->text;
}

/// Every file of the data folders, in order. One that is wrong is a warning: it must not stand in
/// the way of the others.
FolderFiles open_folders(const Kind& kind, const std::vector<std::string>& folders) {
  FolderFiles found;
  for (const std::string& folder : folders) {
    for (const std::string& path : yaml_files(fs::path(folder) / kind.folder)) {
      try {
        if (!is_embedded_copy(kind, path))
          found.files.push_back(open_folder_file(kind, path, found));
      } catch (const InputError& error) {
        found.warnings.emplace_back(error.what());
      }
    }
  }
  return found;
}

bool looks_like_path(std::string_view wanted) {
  return wanted.find('/') != std::string_view::npos || wanted.ends_with(".yaml");
}

/// "meta-llama/Llama-2-7b" is spelled as a repository, "./card.yaml" and "a/b/c" are not.
bool looks_like_repository(std::string_view wanted) {
  return std::count(wanted.begin(), wanted.end(), '/') == 1 && !wanted.ends_with(".yaml") &&
         !wanted.ends_with('/') && wanted.find_first_of("./~") != 0;
}

/// What others publish models in.
bool is_foreign_model(std::string_view wanted) {
  constexpr std::array<std::string_view, 6> kEndings = {".json", ".gguf", ".safetensors",
                                                        ".bin",  ".pt",   ".onnx"};
  std::error_code ignored;
  return fs::is_directory(fs::path(wanted), ignored) ||
         std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return wanted.ends_with(ending); });
}

/// Well-known mixture-of-experts models, whose names are near to those of dense ones.
bool is_mixture_of_experts(std::string_view wanted) {
  constexpr std::array<std::string_view, 12> kParts = {
      "mixtral", "deepseek-v2", "deepseek-v3", "deepseek-r1", "gpt-oss", "dbrx",
      "moe",     "qwen3-30b",   "qwen3-235b",  "llama-4",     "grok",    "kimi-k2"};
  std::string name(wanted);
  std::transform(name.begin(), name.end(), name.begin(), lower);
  return name.find("distill") == std::string::npos &&
         std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

/// A name and the file that claims it.
struct Claim {
  std::string_view name;
  const void* owner;
};

template <class Range>
void add_claims(const Range& entries, std::vector<Claim>& claims) {
  for (const auto& entry : entries) {
    claims.push_back({entry.name, &entry});
    for (const auto& alias : entry.aliases)
      claims.push_back({alias, &entry});
  }
}

/// "m3-max" goes on in "m3-max-30", not in "m3-maximal".
bool goes_on(std::string_view wanted, std::string_view name) {
  return name.size() > wanted.size() && same_name(name.substr(0, wanted.size()), wanted) &&
         (name[wanted.size()] == '-' || name[wanted.size()] == ' ');
}

/// The names that go on where `wanted` ends, else those nearest to it; one for each file, since
/// three spellings of one device help nobody.
std::string suggestion(std::string_view wanted, std::vector<Claim> claims) {
  constexpr std::size_t kSpellings = 30;
  constexpr std::size_t kShown = 3;
  const auto rest = std::stable_partition(claims.begin(), claims.end(), [&](const Claim& claim) {
    return goes_on(wanted, claim.name);
  });
  if (rest != claims.begin())
    claims.erase(rest, claims.end());
  std::vector<std::string_view> names;
  names.reserve(claims.size());
  for (const Claim& claim : claims)
    names.push_back(claim.name);
  std::vector<Claim> shown;
  for (const std::string& near : nearest(wanted, names, kSpellings)) {
    const Claim& claim = *std::find_if(claims.begin(), claims.end(),
                                       [&](const Claim& known) { return known.name == near; });
    const bool repeats = std::any_of(shown.begin(), shown.end(), [&](const Claim& earlier) {
      return earlier.owner == claim.owner;
    });
    if (!repeats && shown.size() < kShown)
      shown.push_back(claim);
  }
  names.clear();
  for (const Claim& claim : shown)
    names.push_back(claim.name);
  return did_you_mean(wanted, names);
}

[[noreturn]] void fail_unknown(const Kind& kind, std::string_view wanted,
                               const std::vector<FolderFile>& files) {
  if (&kind == &kModels && is_mixture_of_experts(wanted)) {
    throw UsageError("unknown model '" + printable(wanted) +
                     "': mixtures of experts are not part of this version");
  }
  std::vector<Claim> claims;
  add_claims(kind.embedded(), claims);
  add_claims(files, claims);
  std::string hint = suggestion(wanted, std::move(claims));
  if (hint.empty())
    hint = "; 'roofcast " + std::string(kind.command) + "' lists them";
  throw UsageError("unknown " + std::string(kind.noun) + " '" + printable(wanted) + "'" + hint);
}

Document find_document(const Kind& kind, const std::vector<std::string>& folders,
                       std::string_view wanted) {
  if (const CatalogueEntry* entry = find_embedded(kind, wanted))
    return parse_entry(*entry);
  const std::string path(wanted);
  if (&kind == &kModels && is_foreign_model(wanted)) {
    throw UsageError(
        "'" + printable(wanted) +
        "' is not read in this version; write a card: 'roofcast models NAME' shows the "
        "shape that one holds");
  }
  std::error_code ignored;
  const bool exists = fs::is_regular_file(path, ignored);
  if (exists || (looks_like_path(wanted) && fs::exists(path, ignored)))
    return read_document(path);
  std::vector<FolderFile> files = open_folders(kind, folders).files;
  for (FolderFile& file : files) {
    if (answers_to(file, wanted))
      return std::move(file.document);
  }
  if (looks_like_path(wanted) && !looks_like_repository(wanted)) {
    throw UsageError("no such file or " + std::string(kind.noun) + ": '" + printable(path) + "'");
  }
  fail_unknown(kind, wanted, files);
}

/// Reads a file of a data folder; nothing when it is malformed, with the reason for `warnings`.
template <class Read>
auto try_read(Read read, const Document& document, std::vector<std::string>& warnings)
    -> std::optional<decltype(read(document))> {
  try {
    return read(document);
  } catch (const InputError& error) {
    warnings.emplace_back(error.what());
  } catch (const ConfigError& error) {
    warnings.push_back(document.file + ": " + error.what());
  } catch (const UsageError& error) {
    warnings.push_back(document.file + ": " + error.what());
  }
  return std::nullopt;
}

template <class Read, class NameOf>
auto read_all(const Kind& kind, const std::vector<std::string>& folders, Read read,
              NameOf name_of) {
  std::vector<decltype(read(std::declval<const Document&>()))> results;
  for (const CatalogueEntry& entry : kind.embedded())
    results.push_back(read(parse_entry(entry)));
  std::vector<std::string> told_by_warnings;
  for (const FolderFile& file : open_folders(kind, folders).files) {
    if (file.name.empty())
      continue;
    if (auto result = try_read(read, file.document, told_by_warnings))
      results.push_back(std::move(*result));
  }
  std::sort(results.begin(), results.end(),
            [&](const auto& a, const auto& b) { return name_of(a) < name_of(b); });
  return results;
}

template <class Read>
void add_warnings(const Kind& kind, const std::vector<std::string>& folders, Read read,
                  std::vector<std::string>& warnings) {
  FolderFiles found = open_folders(kind, folders);
  warnings.insert(warnings.end(), found.warnings.begin(), found.warnings.end());
  for (const FolderFile& file : found.files)
    static_cast<void>(try_read(read, file.document, warnings));
}

Model read_model(const Document& document) {
  return build_model(read_model_card(document));
}

}  // namespace

Catalogue::Catalogue(std::vector<std::string> folders) : folders_(std::move(folders)) {}

Model Catalogue::model(std::string_view wanted) const {
  return read_model(find_document(kModels, folders_, wanted));
}

HardwareProfile Catalogue::hardware(std::string_view wanted) const {
  return read_hardware_profile(find_document(kDevices, folders_, wanted));
}

std::vector<Model> Catalogue::all_models() const {
  return read_all(kModels, folders_, read_model,
                  [](const Model& model) -> std::string_view { return model.card.name; });
}

std::vector<HardwareProfile> Catalogue::all_hardware() const {
  return read_all(kDevices, folders_, read_hardware_profile,
                  [](const HardwareProfile& profile) -> std::string_view { return profile.name; });
}

std::vector<std::string> Catalogue::warnings() const {
  std::vector<std::string> warnings;
  std::error_code ignored;
  for (const std::string& folder : folders_) {
    if (!fs::is_directory(folder, ignored))
      warnings.push_back("there is no data folder '" + printable(folder, 200) + "'");
  }
  add_warnings(kModels, folders_, read_model, warnings);
  add_warnings(kDevices, folders_, read_hardware_profile, warnings);
  return warnings;
}

}  // namespace roofcast
