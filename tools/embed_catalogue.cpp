// Writes a C++ file that holds every card and profile as text, with the names under which each is
// found. Refuses names that would be ambiguous, so that a clash stops the build and not a user.
//
//   embed_catalogue OUTPUT ROOT LIST    LIST: paths below ROOT, one a line
#include "roofcast/input/document.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDelimiter = "yaml";

struct Entry {
  std::string file;
  std::string name;
  std::vector<std::string> aliases;
  std::string text;
};

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

Entry read_entry(const fs::path& root, const std::string& file) {
  const auto document = roofcast::read_document((root / file).string());
  Entry entry{file, "", {}, document.text};
  const roofcast::Node* name = document.root.find("name");
  if (!name || name->scalar != fs::path(file).stem()) {
    throw std::runtime_error(file + ": 'name' must be the file's own name without .yaml");
  }
  entry.name = name->scalar;
  if (const roofcast::Node* aliases = document.root.find("aliases")) {
    for (const auto& item : aliases->items)
      entry.aliases.push_back(item->scalar);
  }
  if (entry.text.find(")" + std::string(kDelimiter) + "\"") != std::string::npos) {
    throw std::runtime_error(file + ": holds the end mark of a raw string");
  }
  return entry;
}

/// Names are compared without case, as the look-up does.
void refuse_clashes(const std::vector<Entry>& entries) {
  std::map<std::string, std::string> owner;
  for (const Entry& entry : entries) {
    std::vector<std::string> names = entry.aliases;
    names.push_back(entry.name);
    for (const std::string& name : names) {
      const auto [at, is_new] = owner.emplace(lower(name), entry.file);
      if (!is_new) {
        throw std::runtime_error("'" + name + "' is claimed by " + at->second + " and by " +
                                 entry.file);
      }
    }
  }
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"sv";
}

void write_kind(std::ostream& out, const std::string& kind, const std::vector<Entry>& entries) {
  out << "namespace {\n";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].aliases.empty())
      continue;
    out << "constexpr std::string_view k_" << kind << "_aliases_" << i << "[] = {";
    for (const std::string& alias : entries[i].aliases)
      out << quoted(alias) << ", ";
    out << "};\n";
  }
  if (!entries.empty())
    out << "constexpr CatalogueEntry k_" << kind << "[] = {\n";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    out << "{" << quoted(entry.file) << ", " << quoted(entry.name) << ", ";
    if (entry.aliases.empty()) {
      out << "{}";
    } else {
      out << "k_" << kind << "_aliases_" << i;
    }
    out << ", R\"" << kDelimiter << "(" << entry.text << ")" << kDelimiter << "\"sv},\n";
  }
  out << (entries.empty() ? "" : "};\n") << "}  // namespace\n\n";
  out << "std::span<const CatalogueEntry> embedded_" << kind << "() { return "
      << (entries.empty() ? "{}" : "k_" + kind) << "; }\n\n";
}

std::vector<Entry> read_kind(const fs::path& root, const fs::path& list,
                             const std::string& folder) {
  std::ifstream files(list);
  if (!files)
    throw std::runtime_error(list.string() + ": cannot be read");
  std::vector<Entry> entries;
  for (std::string file; std::getline(files, file);) {
    if (fs::path(file).parent_path() == folder)
      entries.push_back(read_entry(root, file));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  refuse_clashes(entries);
  return entries;
}

void embed(const fs::path& output, const fs::path& root, const fs::path& list) {
  std::ostringstream text;
  text << "// Written by tools/embed_catalogue.cpp. Edit the files it names instead.\n"
          "#include <string_view>\n\n#include \"roofcast/catalogue/catalogue.hpp\"\n\n"
          "namespace roofcast {\n\nusing namespace std::string_view_literals;\n\n";
  write_kind(text, "cards", read_kind(root, list, "model_cards"));
  write_kind(text, "profiles", read_kind(root, list, "hw_profiles"));
  text << "}  // namespace roofcast\n";
  fs::create_directories(output.parent_path());
  std::ofstream out(output, std::ios::binary);
  out << text.str();
  if (!out.flush())
    throw std::runtime_error(output.string() + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: embed_catalogue OUTPUT ROOT LIST\n", stderr);
    return 2;
  }
  try {
    embed(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "embed_catalogue: %s\n", error.what());
    return 1;
  }
  return 0;
}
