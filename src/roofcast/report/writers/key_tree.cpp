#include "roofcast/report/writers/key_tree.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/report/writers/machine_value.hpp"

#include <algorithm>

namespace roofcast {

KeyTree::KeyTree(const std::vector<std::string>& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].empty())
      add(members_, keys[i], i);
  }
}

void KeyTree::add(Level& level, std::string_view path, std::size_t index) {
  const std::size_t dot = path.find('.');
  const bool leaf = dot == std::string_view::npos;
  const std::string name(path.substr(0, dot));
  auto node =
      std::find_if(level.begin(), level.end(), [&](const Node& n) { return n.name == name; });
  if (node != level.end() && (leaf || node->children.empty())) {
    throw InternalError("the key '" + std::string(path) + "' stands twice in an answer");
  }
  if (node == level.end()) {
    std::string quoted;
    append_json_text(quoted, name);
    node = level.insert(level.end(), Node{name, quoted + ":", {}, index});
  }
  if (!leaf)
    add(node->children, path.substr(dot + 1), index);
}

void KeyTree::append_compact(std::string& out, const std::vector<const Value*>& values) const {
  compact(out, members_, values);
}

void KeyTree::compact(std::string& out, const Level& level,
                      const std::vector<const Value*>& values) {
  out += '{';
  for (const Node& node : level) {
    if (&node != &level.front())
      out += ',';
    out += node.quoted;
    if (node.children.empty()) {
      append_json(out, *values[node.index]);
    } else {
      compact(out, node.children, values);
    }
  }
  out += '}';
}

void KeyTree::append_lines(std::string& out, const std::vector<const Value*>& values,
                           int indent) const {
  lines(out, members_, values, indent);
}

void KeyTree::lines(std::string& out, const Level& level, const std::vector<const Value*>& values,
                    int indent) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  for (const Node& node : level) {
    if (&node != &level.front())
      out += ",\n";
    out += margin + node.quoted + ' ';
    if (node.children.empty()) {
      append_json(out, *values[node.index]);
    } else {
      out += "{\n";
      lines(out, node.children, values, indent + 2);
      out += "\n" + margin + "}";
    }
  }
}

}  // namespace roofcast
