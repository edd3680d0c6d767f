#pragma once

#include "roofcast/report/report.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// Dotted keys as the nested objects that they stand for: {"memory.total_bytes", "memory.fits"} is
/// one object "memory" with two members. Built once, then written for each row.
class KeyTree {
 public:
  /// `keys[i]` is where value i goes; an empty key is left out. @throws InternalError  a key given
  /// twice
  explicit KeyTree(const std::vector<std::string>& keys);

  /// One line: {"memory":{"total_bytes":1,"fits":true}}.
  void append_compact(std::string& out, const std::vector<const Value*>& values) const;
  /// The members one to a line, nested objects too, without the outer braces.
  void append_lines(std::string& out, const std::vector<const Value*>& values, int indent) const;

 private:
  struct Node {
    std::string name;
    std::string quoted;          ///< the name as JSON, with its colon
    std::vector<Node> children;  ///< empty for a leaf
    std::size_t index = 0;
  };
  using Level = std::vector<Node>;
  static void add(Level& level, std::string_view path, std::size_t index);
  static void compact(std::string& out, const Level& level,
                      const std::vector<const Value*>& values);
  static void lines(std::string& out, const Level& level, const std::vector<const Value*>& values,
                    int indent);

  Level members_;
};

}  // namespace roofcast
