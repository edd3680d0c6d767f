#include "roofcast/input/document.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/input/problem_list.hpp"
#include "roofcast/input/source_text.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace roofcast {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMostNodes = 20'000;

/// Ends the parse early; the problem has been reported.
struct Stop {};

/// Whether a decoded scalar holds a control character, which only an escape such as "\e" can bring
/// in.
bool holds_control(std::string_view text, std::string_view allowed) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(code_point_length(text, at), 1);
    if (is_control(text, at, length) && allowed.find(text[at]) == std::string_view::npos)
      return true;
    at += length;
  }
  return false;
}

/// The offset behind the quoted scalar that starts at `at`; nothing when its quote is never closed.
/// yaml-cpp ends such a scalar at the end of the file without a word.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote)
        return i + 1;
      ++i;  // '' is an apostrophe
    }
  }
  return std::string_view::npos;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Builds our tree from yaml-cpp's events and reports whatever the strict subset does not have. It
/// goes on after a problem, so that one pass finds them all; a tree with problems is never handed
/// out.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, ProblemList& problems, Node& root)
      : source_(source), problems_(problems), root_(root) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1)
      return;
    const std::size_t at = offset(mark);
    stop(at, source_.text().substr(at).starts_with("---")
                 ? "a second document ('---') is not allowed"
                 : "the map above has ended; check the indentation of this line");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::size_t at = offset(mark);
    refuse_properties(at, anchor);
    if (expects_key()) {
      problem(at, "a key must be text");
      begin_key(at, {});
      return;
    }
    attach(Node::Kind::null, null_position(at));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    const std::size_t at = offset(mark);
    problem(at, kNoAliases);
    if (expects_key()) {
      begin_key(at, {});
    } else {
      attach(Node::Kind::null, source_.position(at));
    }
  }

  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t at = offset(mark);
    refuse_properties(at, anchor);
    const char first = source_.at(at);
    const bool in_quotes = first == '\'' || first == '"';
    if (in_quotes && end_of_quoted(source_.text(), at) == std::string_view::npos) {
      stop(at, "this quote is never closed");
    }
    if (expects_key()) {
      on_key(at, value);
      return;
    }
    if (holds_control(value, "\n\t"))
      problem(at, "control character in text");
    Node& node = attach(Node::Kind::scalar, source_.position(at));
    node.scalar = value;
    node.quoted = in_quotes || first == '|' || first == '>';
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, anchor, Node::Kind::sequence);
  }
  void OnSequenceEnd() override { stack_.pop_back(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, anchor, Node::Kind::map);
  }
  void OnMapEnd() override { stack_.pop_back(); }

  /// Reports yaml-cpp's own refusal in our words.
  void on_syntax_error(const YAML::Exception& error);

 private:
  struct Frame {
    Node* node;
    std::size_t at;
    bool has_key = false;
    std::unordered_map<std::string, int> lines_of_keys = {};
  };

  static constexpr const char* kNoAliases = "aliases ('*name') are not allowed";
  static constexpr const char* kNoAnchors = "anchors ('&name') are not allowed";
  static constexpr const char* kNoTags = "tags ('!name') are not allowed";

  [[nodiscard]] std::size_t offset(const YAML::Mark& mark) const {
    return source_.offset(mark.line, mark.column);
  }
  void problem(std::size_t at, std::string message) {
    problems_.add(source_.position(at), std::move(message));
  }
  [[noreturn]] void stop(std::size_t at, std::string message) {
    problem(at, std::move(message));
    throw Stop{};
  }

  /// yaml-cpp gives a quoted scalar and "! x" the same tag, but the mark stands on the '!'.
  void refuse_properties(std::size_t at, YAML::anchor_t anchor) {
    if (anchor != 0)
      problem(at, kNoAnchors);
    if (source_.at(at) == '!')
      problem(at, kNoTags);
  }

  [[nodiscard]] bool expects_key() const {
    return !stack_.empty() && stack_.back().node->kind == Node::Kind::map && !stack_.back().has_key;
  }

  /// An empty value has no place of its own: yaml-cpp marks the token after it.
  [[nodiscard]] SourcePosition null_position(std::size_t at) const {
    if (stack_.empty())
      return source_.position(at);
    const Frame& parent = stack_.back();
    if (parent.node->kind == Node::Kind::map)
      return parent.node->entries.back().key_at;
    const bool is_here = std::string_view("~nN,").find(source_.at(at)) != std::string_view::npos;
    return source_.position(is_here ? at : parent.at);
  }

  void on_key(std::size_t at, const std::string& key);
  [[nodiscard]] bool is_simple_key(std::size_t at, std::string_view key) const;

  void begin_key(std::size_t at, std::string key) {
    stack_.back().node->entries.push_back({std::move(key), source_.position(at), nullptr});
    stack_.back().has_key = true;
  }

  Node& attach(Node::Kind kind, SourcePosition at);
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind);

  const SourceText& source_;
  ProblemList& problems_;
  Node& root_;
  int documents_ = 0;
  std::size_t nodes_ = 0;
  std::vector<Frame> stack_;
  std::vector<std::unique_ptr<Node>> refused_;  ///< maps and lists that stand where a key should
};

void TreeBuilder::on_key(std::size_t at, const std::string& key) {
  if (key.empty() || holds_control(key, "")) {
    problem(at, "a key must be text on one line");
  } else if (key == "<<") {
    problem(at, "merge keys ('<<') are not allowed");
  } else if (!is_simple_key(at, key)) {
    problem(at, "a key must stand on one line with its ':'");
  } else {
    const int line = source_.position(at).line;
    const auto [first, is_new] = stack_.back().lines_of_keys.emplace(key, line);
    if (!is_new) {
      problem(at, "duplicate key '" + printable(key) + "' (first at line " +
                      std::to_string(first->second) + ")");
    }
  }
  begin_key(at, key);
}

/// Whether the source reads "key:", not "? key", "key" alone in braces, or a key over several
/// lines.
bool TreeBuilder::is_simple_key(std::size_t at, std::string_view key) const {
  const std::string_view text = source_.text();
  std::size_t before = at;
  while (before > 0 && is_blank(text[before - 1]))
    --before;
  if (before < at && before > 0 && text[before - 1] == '?')
    return false;
  std::size_t end = at + key.size();
  if (text[at] == '"' || text[at] == '\'') {
    end = end_of_quoted(text, at);
  } else if (text.substr(at, key.size()) != key) {
    return false;
  }
  while (is_blank(source_.at(end)))
    ++end;
  return source_.at(end) == ':';
}

Node& TreeBuilder::attach(Node::Kind kind, SourcePosition at) {
  if (++nodes_ > kMostNodes) {
    problems_.add(at, "more than " + std::to_string(kMostNodes) + " values in one file");
    throw Stop{};
  }
  Node* node = &root_;
  if (!stack_.empty()) {
    Frame& parent = stack_.back();
    auto child = std::make_unique<Node>();
    node = child.get();
    if (parent.node->kind == Node::Kind::sequence) {
      parent.node->items.push_back(std::move(child));
    } else {
      parent.node->entries.back().value = std::move(child);
      parent.has_key = false;
    }
  }
  node->kind = kind;
  node->at = at;
  return *node;
}

void TreeBuilder::open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind) {
  const std::size_t at = offset(mark);
  refuse_properties(at, anchor);
  if (stack_.size() >= kDeepest) {
    stop(at, "nested deeper than " + std::to_string(kDeepest) + " levels");
  }
  if (expects_key()) {
    problem(at, "a key must be text, not a map or a list");
    begin_key(at, {});
    refused_.push_back(std::make_unique<Node>());
    refused_.back()->kind = kind;
    stack_.push_back({refused_.back().get(), at});
    return;
  }
  stack_.push_back({&attach(kind, source_.position(at)), at});
}

void TreeBuilder::on_syntax_error(const YAML::Exception& error) {
  const std::string_view what = error.msg;
  const std::size_t at = offset(error.mark);
  const auto is = [&](const char* message) { return what.starts_with(message); };
  if (is(YAML::ErrorMsg::END_OF_SEQ_FLOW) || is(YAML::ErrorMsg::END_OF_MAP_FLOW)) {
    problem(stack_.empty() ? at : stack_.back().at,
            "this bracket is not closed where it should be");
  } else if (is(YAML::ErrorMsg::UNKNOWN_ANCHOR) || is(YAML::ErrorMsg::ALIAS_NOT_FOUND)) {
    problem(at, kNoAliases);
  } else if (is(YAML::ErrorMsg::MULTIPLE_ANCHORS) || is(YAML::ErrorMsg::ANCHOR_NOT_FOUND)) {
    problem(at, kNoAnchors);
  } else if (is(YAML::ErrorMsg::MULTIPLE_TAGS) || is(YAML::ErrorMsg::END_OF_VERBATIM_TAG)) {
    problem(at, kNoTags);
  } else if (is(YAML::ErrorMsg::MAP_VALUE)) {
    problem(at, "a ':' cannot stand here; check the indentation, or quote text that contains ': '");
  } else if (is(YAML::ErrorMsg::MAP_KEY)) {
    problem(at, "explicit keys ('? key') are not allowed");
  } else if (is(YAML::ErrorMsg::END_OF_MAP) || is(YAML::ErrorMsg::END_OF_SEQ)) {
    problem(at, "this does not belong here; check the indentation, brackets and quotes");
  } else if (is(YAML::ErrorMsg::FLOW_END)) {
    problem(at, "this bracket was never opened");
  } else if (is(YAML::ErrorMsg::EOF_IN_SCALAR)) {
    problem(at, "the file ends inside quotes");
  } else if (is(YAML::ErrorMsg::UNKNOWN_TOKEN)) {
    problem(at, "text that starts with this character needs quotes");
  } else if (is(YAML::ErrorMsg::BLOCK_ENTRY)) {
    problem(at, "a list ('- item') cannot start here");
  } else {
    problem(at, "not YAML: " + printable(what));
  }
}

void parse_tree(const SourceText& source, ProblemList& problems, Node& root) {
  TreeBuilder builder(source, problems, root);
  std::istringstream stream{std::string(source.text())};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    builder.on_syntax_error(error);
  } catch (const Stop&) {
    return;
  }
}

void check_root(const Node& root, ProblemList& problems) {
  if (root.kind == Node::Kind::null)
    problems.add({}, "is empty");
  if (root.kind == Node::Kind::sequence)
    problems.add(root.at, "must be 'key: value' lines, not a list");
  if (root.kind == Node::Kind::scalar) {
    problems.add(root.at, "must be 'key: value' lines, with a space after the ':'");
  }
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const NodeEntry& entry : entries) {
    if (entry.key == key)
      return entry.value.get();
  }
  return nullptr;
}

Document parse_document(std::string file, std::string text) {
  // Editors on Windows put a byte order mark before UTF-8 text; it carries nothing, so it is
  // dropped.
  if (text.starts_with("\xEF\xBB\xBF"))
    text.erase(0, 3);
  Document document{std::move(file), std::move(text), {}};
  ProblemList problems(document);
  if (document.text.size() > kLargestFile) {
    problems.add({}, "is larger than " + std::to_string(kLargestFile) + " bytes");
    problems.finish();
  }
  const SourceText source(document.text);
  check_text(source, problems);
  problems.finish();
  parse_tree(source, problems, document.root);
  if (problems.empty())
    check_root(document.root, problems);
  problems.finish();
  return document;
}

Document read_document(const std::string& path) {
  return parse_document(path, read_file(path, kLargestFile));
}

}  // namespace roofcast
