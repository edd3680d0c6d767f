#include "roofcast/catalogue/catalogue.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/input/document.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/readers/card_yaml.hpp"

#include <algorithm>
#include <filesystem>
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
  std::string name;
  std::vector<std::string> aliases;
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
  return same_name(entry.name, wanted) ||
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

std::string scalar_at(const Node& map, std::string_view key) {
  const Node* node = map.find(key);
  return node && node->kind == Node::Kind::scalar ? node->scalar : "";
}

/// Names only: whether the rest of the file is right is told when it is asked for.
FolderFile open_folder_file(const std::string& path) {
  FolderFile file{read_document(path), "", {}};
  file.name = scalar_at(file.document.root, "name");
  if (const Node* aliases = file.document.root.find("aliases")) {
    for (const auto& item : aliases->items)
      file.aliases.push_back(item->scalar);
  }
  return file;
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

void refuse_taken_names(const Kind& kind, const std::string& path, const FolderFile& file) {
  std::vector<std::string> names = file.aliases;
  names.push_back(file.name);
  for (const std::string& name : names) {
    if (const CatalogueEntry* taken = find_embedded(kind, name)) {
      throw InputError(
          fmt::format("{}: the name '{}' belongs to {}, which comes with roofcast; give it another",
                      path, name, taken->file));
    }
  }
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

/// Every file of the data folders, in order. @throws InputError  when one claims an embedded name
std::vector<FolderFile> open_folders(const Kind& kind, const std::vector<std::string>& folders) {
  std::vector<FolderFile> files;
  for (const std::string& folder : folders) {
    for (const std::string& path : yaml_files(fs::path(folder) / kind.folder)) {
      if (is_embedded_copy(kind, path))
        continue;
      FolderFile file = open_folder_file(path);
      refuse_taken_names(kind, path, file);
      files.push_back(std::move(file));
    }
  }
  return files;
}

bool looks_like_path(std::string_view wanted) {
  return wanted.find('/') != std::string_view::npos || wanted.ends_with(".yaml");
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
  std::error_code ignored;
  const bool exists = fs::is_regular_file(path, ignored);
  if (exists || (looks_like_path(wanted) && fs::exists(path, ignored)))
    return read_document(path);
  std::vector<FolderFile> files = open_folders(kind, folders);
  for (FolderFile& file : files) {
    if (answers_to(file, wanted))
      return std::move(file.document);
  }
  if (looks_like_path(wanted)) {
    throw UsageError("no such file or " + std::string(kind.noun) + ": '" + printable(path) + "'");
  }
  fail_unknown(kind, wanted, files);
}

template <class Read, class NameOf>
auto read_all(const Kind& kind, const std::vector<std::string>& folders, Read read,
              NameOf name_of) {
  std::vector<decltype(read(std::declval<const Document&>()))> results;
  for (const CatalogueEntry& entry : kind.embedded())
    results.push_back(read(parse_entry(entry)));
  for (const FolderFile& file : open_folders(kind, folders))
    results.push_back(read(file.document));
  std::sort(results.begin(), results.end(),
            [&](const auto& a, const auto& b) { return name_of(a) < name_of(b); });
  return results;
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

}  // namespace roofcast
