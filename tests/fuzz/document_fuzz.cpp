#include "roofcast/base/error.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/input/document.hpp"
#include "roofcast/input/field_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// Any bytes at all give a tree or an InputError; the tree can be walked, and every message is fit
// to print.

namespace {

using namespace roofcast;

void require(bool condition) {
  if (!condition)
    std::abort();
}

/// Reads every field in every way that its key allows to, which also writes every message there is.
void read_all(FieldReader& reader, const Node& map) {
  for (const NodeEntry& entry : map.entries) {
    require(entry.value != nullptr && reader.has(entry.key));
    reader.text(entry.key);
    reader.count(entry.key, 1, 1000);
    reader.flag(entry.key);
    reader.bytes(entry.key);
    reader.bandwidth(entry.key);
    reader.optional_number(entry.key, 0.0, 1.0);
    reader.optional_rate(entry.key);
    reader.optional_clock(entry.key);
    reader.optional_power(entry.key);
    reader.optional_texts(entry.key);
    reader.section(entry.key, true, [&](FieldReader& section) { read_all(section, *entry.value); });
  }
  reader.text("name");  // a key that most maps lack
}

/// Whether a message is text: no control character but line ends and the tabs of an excerpt.
bool is_printable(const std::string& message) {
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t length = code_point_length(message, at);
    const bool is_layout = message[at] == '\n' || message[at] == '\t';
    if (length == 0 || (is_control(message, at, length) && !is_layout))
      return false;
    at += length;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Document document = parse_document("f.yaml", std::string(data, data + size));
    require(document.root.kind == Node::Kind::map);
    ProblemList problems(document);
    FieldReader reader(document.root, problems);
    read_all(reader, document.root);
    reader.finish();
    problems.finish();
  } catch (const InputError& error) {
    require(!error.problems().empty());
    require(is_printable(error.what()));
  }
  return 0;
}
