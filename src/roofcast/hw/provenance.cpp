#include "roofcast/hw/provenance.hpp"

#include "roofcast/base/spelling.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace roofcast {
namespace {

constexpr std::string_view kSingleSource = "source";

/// Sections and keys of a profile that state facts in numbers.
constexpr std::array<std::string_view, 6> kFacts = {"released", "memory", "processors",
                                                    "compute",  "links",  "power"};
/// Keys below them that are words even when they begin with a digit ("24x100GbE").
constexpr std::array<std::string_view, 3> kWords = {"type", "name", "caveat"};

struct Leaf {
  std::string path;
  SourcePosition at;
};

void collect_numbers(const Node& node, const std::string& path, std::vector<Leaf>& leaves) {
  if (node.kind == Node::Kind::scalar && !node.quoted && !node.scalar.empty() &&
      node.scalar.front() >= '0' && node.scalar.front() <= '9') {
    leaves.push_back({path, node.at});
  }
  for (const NodeEntry& entry : node.entries) {
    if (std::find(kWords.begin(), kWords.end(), entry.key) != kWords.end())
      continue;
    collect_numbers(*entry.value, path + "." + entry.key, leaves);
  }
}

std::vector<Leaf> numbers_of(const Document& document) {
  std::vector<Leaf> leaves;
  for (const std::string_view fact : kFacts) {
    if (const Node* node = document.root.find(fact)) {
      collect_numbers(*node, std::string(fact), leaves);
    }
  }
  return leaves;
}

/// "memory" covers "memory" and "memory.capacity", not "memory_bus".
bool covers(std::string_view entry, std::string_view path) {
  return entry == "*" || path == entry ||
         (path.size() > entry.size() && path.substr(0, entry.size()) == entry &&
          path[entry.size()] == '.');
}

void read_sources(const Node& sources, ProblemList& problems, HardwareProfile& profile) {
  for (const NodeEntry& entry : sources.entries) {
    if (entry.value->kind != Node::Kind::map) {
      problems.add(entry.key_at, "source '" + entry.key + "' needs a map with a 'title'");
      continue;
    }
    FieldReader fields(*entry.value, problems, "sources." + entry.key);
    ProfileSource source;
    source.id = entry.key;
    source.title = fields.text("title");
    source.publisher = fields.optional_text("publisher").value_or("");
    source.where = fields.optional_text("where").value_or("");
    fields.finish();
    profile.sources.push_back(std::move(source));
  }
}

bool knows_source(const HardwareProfile& profile, const std::string& id) {
  return std::any_of(profile.sources.begin(), profile.sources.end(),
                     [&](const ProfileSource& source) { return source.id == id; });
}

void check_entry(const NodeEntry& entry, const std::vector<Leaf>& leaves, ProblemList& problems,
                 HardwareProfile& profile) {
  const Node& value = *entry.value;
  if (value.kind != Node::Kind::scalar) {
    problems.add(entry.key_at, "provenance of '" + entry.key + "' needs the id of a source");
    return;
  }
  if (!knows_source(profile, value.scalar)) {
    std::vector<std::string_view> ids;
    ids.reserve(profile.sources.size());
    for (const ProfileSource& source : profile.sources)
      ids.emplace_back(source.id);
    problems.add(value.at,
                 "unknown source '" + value.scalar + "'" + did_you_mean(value.scalar, ids));
  }
  const bool used = std::any_of(leaves.begin(), leaves.end(),
                                [&](const Leaf& leaf) { return covers(entry.key, leaf.path); });
  if (!used) {
    std::vector<std::string_view> paths;
    paths.reserve(leaves.size());
    for (const Leaf& leaf : leaves)
      paths.emplace_back(leaf.path);
    problems.add(entry.key_at, "provenance for '" + entry.key +
                                   "', but the file has no such number" +
                                   did_you_mean(entry.key, paths));
  }
  profile.provenance.emplace(entry.key, value.scalar);
}

void check_coverage(const std::vector<Leaf>& leaves, ProblemList& problems,
                    const HardwareProfile& profile) {
  for (const Leaf& leaf : leaves) {
    const bool covered =
        std::any_of(profile.provenance.begin(), profile.provenance.end(),
                    [&](const auto& entry) { return covers(entry.first, leaf.path); });
    if (!covered)
      problems.add(leaf.at, "no provenance entry covers '" + leaf.path + "'");
  }
}

}  // namespace

void read_provenance(const Document& document, FieldReader& root, ProblemList& problems,
                     HardwareProfile& profile) {
  const auto single = root.optional_text("source");
  const Node* sources = root.node("sources");
  const Node* provenance = root.node("provenance");
  if (single) {
    if (sources || provenance) {
      root.problem("source",
                   "'source' serves where everything comes from one place; with 'sources' "
                   "and 'provenance' leave it out");
    }
    profile.sources.push_back({std::string(kSingleSource), *single, "", ""});
    profile.provenance.emplace("*", kSingleSource);
    return;
  }
  if (root.has("source"))
    return;  // present and wrong: said already
  if (!sources || !provenance || sources->kind != Node::Kind::map ||
      provenance->kind != Node::Kind::map) {
    root.problem(sources ? "sources" : "provenance",
                 "say where the numbers come from: either 'source', or the maps 'sources' and "
                 "'provenance'");
    return;
  }
  read_sources(*sources, problems, profile);
  const auto leaves = numbers_of(document);
  for (const NodeEntry& entry : provenance->entries)
    check_entry(entry, leaves, problems, profile);
  check_coverage(leaves, problems, profile);
}

const ProfileSource* source_of(const HardwareProfile& profile, const std::string& dotted_path) {
  const std::string* best = nullptr;
  std::size_t best_length = 0;
  for (const auto& [entry, id] : profile.provenance) {
    if (!covers(entry, dotted_path))
      continue;
    const std::size_t length = entry == "*" ? 0 : entry.size();
    if (!best || length > best_length) {
      best = &id;
      best_length = length;
    }
  }
  if (!best)
    return nullptr;
  const auto found = std::find_if(profile.sources.begin(), profile.sources.end(),
                                  [&](const ProfileSource& source) { return source.id == *best; });
  return found == profile.sources.end() ? nullptr : &*found;
}

}  // namespace roofcast
