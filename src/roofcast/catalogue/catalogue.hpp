#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// One embedded file: its text and the names under which it is found, read out when it was
/// embedded.
struct CatalogueEntry {
  std::string_view file;  ///< "model_cards/llama-2-7b.yaml"
  std::string_view name;
  std::span<const std::string_view> aliases;
  std::string_view text;
};

/// Sorted by name; written by tools/embed_catalogue.cpp at build time.
std::span<const CatalogueEntry> embedded_cards();
std::span<const CatalogueEntry> embedded_profiles();

/// Finds models and devices by name, alias, driver's name or file. Names match exactly but for
/// case; never by substring, since "l4" is in "l40s".
class Catalogue {
 public:
  /// `folders`: searched after the embedded files, for <folder>/model_cards/*.yaml and
  /// <folder>/hw_profiles/*.yaml. A name that is embedded, or that an earlier file has, stays with
  /// its owner.
  explicit Catalogue(std::vector<std::string> folders = {});

  /// `wanted` is a path when it has a '/' or ends in .yaml. @throws UsageError  unknown, nearest
  /// names given
  /// @throws InputError  a malformed file
  [[nodiscard]] Model model(std::string_view wanted) const;
  [[nodiscard]] HardwareProfile hardware(std::string_view wanted) const;

  /// Every known one, sorted by name: parses all files. Malformed files of the data folders are
  /// left out; warnings() names them.
  [[nodiscard]] std::vector<Model> all_models() const;
  [[nodiscard]] std::vector<HardwareProfile> all_hardware() const;

  /// What is wrong with the data folders: those that do not exist, malformed files, names that are
  /// taken. Each as FILE:LINE:COLUMN and the reason; reads every file of theirs.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  std::vector<std::string> folders_;
};

}  // namespace roofcast
