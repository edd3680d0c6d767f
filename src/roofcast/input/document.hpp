#pragma once

#include "roofcast/base/source_span.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A strict YAML subset as a tree that remembers positions. No anchors, aliases, tags, merge or
/// complex keys, directives, duplicate keys or tabs that indent; one document, at most 32 levels
/// and 20,000 values, UTF-8 without control characters. A byte order mark is dropped; line ends of
/// Windows are accepted. This file's .cpp is the only one that includes yaml-cpp.
namespace roofcast {

struct Node;

struct NodeEntry {
  std::string key;
  SourcePosition key_at;
  std::unique_ptr<Node> value;
};

struct Node {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  SourcePosition at;    ///< of the value; of the key for a null value
  std::string scalar;   ///< as written, unquoted
  bool quoted = false;  ///< "80" in quotes is text, never a number
  std::vector<NodeEntry> entries;
  std::vector<std::unique_ptr<Node>> items;

  [[nodiscard]] const Node* find(std::string_view key) const;
};

/// The parsed file together with its text, which error excerpts quote.
struct Document {
  std::string file;  ///< the name that messages show
  std::string text;
  Node root;  ///< always a map
};

/// @throws InputError  with every structural problem found; the file name is `file`
Document parse_document(std::string file, std::string text);

/// Reads at most 1 MiB. @throws InputError  when unreadable, a folder, too large or not UTF-8 text
Document read_document(const std::string& path);

/// The bytes of a file of at most `limit` bytes. @throws InputError  as above, without the UTF-8
/// check
std::string read_file(const std::string& path, std::size_t limit);

}  // namespace roofcast
