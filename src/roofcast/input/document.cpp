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

/// Ends the parse early; the problem has been noted.
struct Stop {};

/// Ends the parse of a file that is beyond one of the limits above.
struct Limit {
  std::size_t at;
  std::string message;
};

struct Translation {
  const char* theirs;
  const char* ours;
};

constexpr const char* kNoAliases = "aliases ('*name') are not allowed";
constexpr const char* kNoAnchors = "anchors ('&name') are not allowed";
constexpr const char* kNoTags = "tags ('!name') are not allowed";
constexpr const char* kMisplaced =
    "this does not belong here; check the indentation, brackets and quotes";

/// What a message of yaml-cpp means to the author of a file; nullptr for those that are passed on.
const char* translate(std::string_view message) {
  static const Translation table[] = {
      {YAML::ErrorMsg::UNKNOWN_ANCHOR, kNoAliases},
      {YAML::ErrorMsg::ALIAS_NOT_FOUND, kNoAliases},
      {YAML::ErrorMsg::CHAR_IN_ALIAS, kNoAliases},
      {YAML::ErrorMsg::ALIAS_CONTENT, kNoAliases},
      {YAML::ErrorMsg::ANCHOR_NOT_FOUND, kNoAnchors},
      {YAML::ErrorMsg::CHAR_IN_ANCHOR, kNoAnchors},
      {YAML::ErrorMsg::MULTIPLE_ANCHORS, kNoAnchors},
      {YAML::ErrorMsg::MULTIPLE_TAGS, kNoTags},
      {YAML::ErrorMsg::END_OF_VERBATIM_TAG, kNoTags},
      {YAML::ErrorMsg::CHAR_IN_TAG_HANDLE, kNoTags},
      {YAML::ErrorMsg::TAG_WITH_NO_SUFFIX, kNoTags},
      {YAML::ErrorMsg::MAP_VALUE,
       "a ':' cannot stand here; check the indentation and the line above, or put text with ': ' "
       "in "
       "quotes"},
      {YAML::ErrorMsg::MAP_KEY, "explicit keys ('? key') are not allowed"},
      {YAML::ErrorMsg::END_OF_MAP, kMisplaced},
      {YAML::ErrorMsg::END_OF_SEQ, kMisplaced},
      {YAML::ErrorMsg::FLOW_END, "this bracket closes none that is open"},
      {YAML::ErrorMsg::INVALID_ESCAPE,
       "in double quotes a backslash starts an escape, and this is none"},
      {YAML::ErrorMsg::INVALID_HEX, "this escape names no character"},
      {YAML::ErrorMsg::INVALID_UNICODE, "this escape names no character"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "the file ends inside quotes"},
      {YAML::ErrorMsg::CHAR_IN_BLOCK,
       "the text of a block starts on the line after its '|' or '>'"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "text that starts with this character needs quotes"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "a list ('- item') cannot start here"},
  };
  const auto* const known =
      std::find_if(std::begin(table), std::end(table),
                   [&](const Translation& t) { return message.starts_with(t.theirs); });
  return known == std::end(table) ? nullptr : known->ours;
}

/// Builds our tree from yaml-cpp's events and reports whatever the strict subset does not have. It
/// goes on after a problem, so that one pass finds them all; a tree with problems is never handed
/// out.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, Node& root) : source_(source), root_(root) {}

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
    attach(Node::Kind::null, at, null_position(at));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    const std::size_t at = offset(mark);
    problem(at, kNoAliases);
    if (expects_key()) {
      begin_key(at, {});
    } else {
      attach(Node::Kind::null, at, source_.position(at));
    }
  }

  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t at = offset(mark);
    const bool is_refused = refuse_properties(at, anchor);
    const char first = source_.at(at);
    const bool in_quotes = first == '\'' || first == '"';
    // yaml-cpp ends such a scalar at the end of the file without a word.
    if (in_quotes && source_.end_of_quoted(at) == std::string_view::npos) {
      stop(at, "this quote is never closed");
    }
    if (expects_key()) {
      if (!is_refused)
        check_key(at, value);
      begin_key(at, value);
      return;
    }
    if (holds_control(value, "\n\t"))
      problem(at, "control character in text");
    Node& node = attach(Node::Kind::scalar, at, source_.position(at));
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

  /// Adds yaml-cpp's own refusal in our words.
  void on_syntax_error(const YAML::Exception& error);
  /// Adds that the file is beyond a limit, which makes everything else about it noise.
  void on_limit(const Limit& limit);

  void report(ProblemList& problems) const {
    for (const Found& found : found_)
      problems.add(source_.position(found.at), found.message);
  }

 private:
  struct Frame {
    Node* node;
    std::size_t at;
    bool has_key = false;
    std::unordered_map<std::string, int> lines_of_keys = {};
  };

  struct Found {
    std::size_t at;
    std::string message;
  };

  [[nodiscard]] std::size_t offset(const YAML::Mark& mark) const {
    return source_.offset(mark.line, mark.column);
  }
  void problem(std::size_t at, std::string message) { found_.push_back({at, std::move(message)}); }
  [[noreturn]] void stop(std::size_t at, std::string message) {
    problem(at, std::move(message));
    throw Stop{};
  }

  /// yaml-cpp gives a quoted scalar and "! x" the same tag, but the mark stands on the '!'.
  bool refuse_properties(std::size_t at, YAML::anchor_t anchor) {
    const bool has_tag = source_.at(at) == '!';
    if (anchor != 0)
      problem(at, kNoAnchors);
    if (has_tag)
      problem(at, kNoTags);
    return anchor != 0 || has_tag;
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
    return is_here ? source_.position(at) : parent.node->at;
  }

  void check_key(std::size_t at, const std::string& key);
  void on_open_bracket(std::size_t gave_up_at);

  void begin_key(std::size_t at, std::string key) {
    stack_.back().node->entries.push_back({std::move(key), source_.position(at), nullptr});
    stack_.back().has_key = true;
  }

  Node& attach(Node::Kind kind, std::size_t at, SourcePosition shown);
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind);

  const SourceText& source_;
  Node& root_;
  std::vector<Found> found_;
  int documents_ = 0;
  std::size_t nodes_ = 0;
  std::vector<Frame> stack_;
  std::vector<std::unique_ptr<Node>> refused_;  ///< maps and lists that stand where a key should
};

void TreeBuilder::check_key(std::size_t at, const std::string& key) {
  if (key.empty()) {
    problem(at, "a key must not be empty");
  } else if (key == "<<") {
    problem(at, "merge keys ('<<') are not allowed");
  } else if (!source_.is_simple_key(at, key)) {
    problem(at, "a key must stand on one line with its ':'");
  } else if (holds_control(key, "")) {
    problem(at, "control character in a key");
  } else {
    const int line = source_.position(at).line;
    const auto [first, is_new] = stack_.back().lines_of_keys.emplace(key, line);
    if (!is_new) {
      problem(at, "duplicate key '" + printable(key) + "' (first at line " +
                      std::to_string(first->second) + ")");
    }
  }
}

Node& TreeBuilder::attach(Node::Kind kind, std::size_t at, SourcePosition shown) {
  if (++nodes_ > kMostNodes) {
    throw Limit{at, "more than " + std::to_string(kMostNodes) + " values in one file"};
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
  node->at = shown;
  return *node;
}

void TreeBuilder::open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind) {
  const std::size_t at = offset(mark);
  refuse_properties(at, anchor);
  if (stack_.size() >= kDeepest) {
    throw Limit{at, "nested deeper than " + std::to_string(kDeepest) + " levels"};
  }
  if (expects_key()) {
    problem(at, "a key must be text, not a map or a list");
    begin_key(at, {});
    refused_.push_back(std::make_unique<Node>());
    refused_.back()->kind = kind;
    stack_.push_back({refused_.back().get(), at});
    return;
  }
  stack_.push_back({&attach(kind, at, source_.position(at)), at});
}

void TreeBuilder::on_limit(const Limit& limit) {
  found_.clear();
  problem(limit.at, limit.message);
}

void TreeBuilder::on_syntax_error(const YAML::Exception& error) {
  const std::string_view what = error.msg;
  if (what == YAML::ErrorMsg::END_OF_SEQ_FLOW || what == YAML::ErrorMsg::END_OF_MAP_FLOW) {
    on_open_bracket(offset(error.mark));
    return;
  }
  const char* const ours = translate(what);
  problem(offset(error.mark), ours == nullptr ? "not YAML: " + printable(what) : ours);
}

/// Points at the bracket, not at the place where yaml-cpp gave up. What was found behind the
/// bracket is dropped: yaml-cpp reads the rest of the file as its content.
void TreeBuilder::on_open_bracket(std::size_t gave_up_at) {
  std::size_t bracket = gave_up_at;
  for (const Frame& frame : stack_) {
    if (source_.at(frame.at) == '[' || source_.at(frame.at) == '{')
      bracket = std::min(bracket, frame.at);
  }
  std::erase_if(found_, [&](const Found& found) { return found.at > bracket; });
  problem(bracket, "this bracket is not closed where it should be");
}

void parse_tree(const SourceText& source, ProblemList& problems, Node& root) {
  TreeBuilder builder(source, root);
  // Without a last line end yaml-cpp reports an open quote at the end of the file; with one it
  // reports nothing, and the builder points at the quote.
  std::istringstream stream(std::string(source.text()) + '\n');
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    builder.on_syntax_error(error);
  } catch (const Limit& limit) {
    builder.on_limit(limit);
  } catch (const Stop&) {  // the builder holds the reason
  }
  builder.report(problems);
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
