#include "roofcast/input/field_reader.hpp"

#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/parse.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace roofcast {
namespace {

// More choices than this are not listed in a message when a near one can be named.
constexpr std::size_t kMostListed = 12;

constexpr std::int64_t kLargestCount = std::int64_t{1} << 53;

std::string quote(std::string_view text) {
  return '\'' + printable(text) + '\'';
}

/// Far outside anything that is built, so that a hostile number can neither overflow nor vanish
/// later.
template <class Quantity>
struct Range {
  Quantity low;
  Quantity high;
};

constexpr Range<Bytes> kSizes{bytes(1.0), bytes(kLargestCount)};
constexpr Range<BytesPerSecond> kBandwidths{BytesPerSecond::from_value(1e3),
                                            BytesPerSecond::from_value(1e18)};
constexpr Range<FlopsPerSecond> kRates{FlopsPerSecond::from_value(1e3),
                                       FlopsPerSecond::from_value(1e21)};
constexpr Range<Hertz> kClocks{Hertz::from_value(1e3), Hertz::from_value(1e12)};
constexpr Range<Watts> kPowers{Watts::from_value(1e-3), Watts::from_value(1e9)};

std::string list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty())
      text += ", ";
    text += name;
  }
  return text;
}

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "a single value";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "";
}

}  // namespace

FieldReader::FieldReader(const Node& map, ProblemList& problems, std::string path)
    : map_(map), problems_(problems), path_(std::move(path)) {}

const Node* FieldReader::node(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end())
    known_.emplace_back(key);
  return map_.find(key);
}

bool FieldReader::has(std::string_view key) const {
  return map_.find(key) != nullptr;
}

SourcePosition FieldReader::where(std::string_view key) const {
  const Node* value = map_.find(key);
  return value == nullptr ? map_.at : value->at;
}

std::string FieldReader::dotted(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + '.' + std::string(key);
}

void FieldReader::problem(std::string_view key, std::string_view message) {
  problems_.add(where(key), message);
}

const Node* FieldReader::find_scalar(std::string_view key, bool required) {
  const Node* value = node(key);
  if (value == nullptr) {
    if (required)
      problem(key, "missing " + quote(dotted(key)));
    return nullptr;
  }
  if (value->kind == Node::Kind::scalar)
    return value;
  if (value->kind == Node::Kind::null) {
    problem(key, quote(key) + " has no value");
  } else {
    problem(key,
            quote(key) + " must be a single value, not " + std::string(kind_name(value->kind)));
  }
  return nullptr;
}

const Node* FieldReader::find_plain(std::string_view key, bool required, std::string_view what) {
  const Node* value = find_scalar(key, required);
  if (value == nullptr || !value->quoted)
    return value;
  problem(key, quote(key) + " must be " + std::string(what) + " without quotes");
  return nullptr;
}

std::optional<std::string> FieldReader::read_text(std::string_view key, bool required) {
  const Node* value = find_scalar(key, required);
  if (value == nullptr)
    return std::nullopt;
  if (!value->scalar.empty())
    return value->scalar;
  problem(key, quote(key) + " must not be empty");
  return std::nullopt;
}

std::optional<std::int64_t> FieldReader::read_count(std::string_view key, bool required,
                                                    std::int64_t low, std::int64_t high) {
  const Node* value = find_plain(key, required, "a whole number");
  if (value == nullptr)
    return std::nullopt;
  const Parsed<std::int64_t> parsed = parse_count(value->scalar);
  if (!parsed.ok()) {
    problem(key, quote(key) + ' ' + parsed.problem + ", got " + quote(value->scalar));
    return std::nullopt;
  }
  if (parsed.value >= low && parsed.value <= high)
    return parsed.value;
  problem(key, quote(key) + " must be from " + std::to_string(low) + " to " + std::to_string(high) +
                   ", got " + value->scalar);
  return std::nullopt;
}

std::optional<bool> FieldReader::read_flag(std::string_view key, bool required) {
  const Node* value = find_plain(key, required, "true or false");
  if (value == nullptr)
    return std::nullopt;
  if (value->scalar == "true" || value->scalar == "false")
    return value->scalar == "true";
  problem(key, quote(key) + " must be true or false, got " + quote(value->scalar));
  return std::nullopt;
}

std::optional<std::string> FieldReader::read_choice(std::string_view key, bool required,
                                                    std::span<const std::string_view> allowed) {
  std::optional<std::string> value = read_text(key, required);
  if (!value)
    return std::nullopt;
  if (std::find(allowed.begin(), allowed.end(), *value) != allowed.end())
    return value;
  const std::string hint = did_you_mean(*value, allowed);
  const bool lists_all = hint.empty() || allowed.size() <= kMostListed;
  problem(key, quote(key) +
                   (lists_all ? " must be one of " + list(allowed) + ", got " : " has no choice ") +
                   quote(*value) + hint);
  return std::nullopt;
}

template <class Quantity>
std::optional<Quantity> FieldReader::read_quantity(std::string_view key, bool required,
                                                   Parsed<Quantity> (*parse)(std::string_view),
                                                   Quantity low, Quantity high) {
  const Node* value = find_plain(key, required, "a number and its unit");
  if (value == nullptr)
    return std::nullopt;
  const Parsed<Quantity> parsed = parse(value->scalar);
  if (!parsed.ok()) {
    problem(key, quote(key) + ' ' + parsed.problem + ", got " + quote(value->scalar));
    return std::nullopt;
  }
  if (parsed.value >= low && parsed.value <= high)
    return parsed.value;
  problem(key, quote(key) + " must be from " + format(low) + " to " + format(high) + ", got " +
                   quote(value->scalar));
  return std::nullopt;
}

std::string FieldReader::text(std::string_view key) {
  return read_text(key, true).value_or("");
}

std::int64_t FieldReader::count(std::string_view key, std::int64_t low, std::int64_t high) {
  return read_count(key, true, low, high).value_or(low);
}

bool FieldReader::flag(std::string_view key) {
  return read_flag(key, true).value_or(false);
}

Bytes FieldReader::bytes(std::string_view key) {
  return read_quantity(key, true, parse_bytes, kSizes.low, kSizes.high).value_or(kSizes.low);
}

BytesPerSecond FieldReader::bandwidth(std::string_view key) {
  return read_quantity(key, true, parse_bytes_per_second, kBandwidths.low, kBandwidths.high)
      .value_or(kBandwidths.low);
}

std::string FieldReader::choice(std::string_view key, std::span<const std::string_view> allowed) {
  return read_choice(key, true, allowed).value_or(std::string(allowed.front()));
}

std::optional<std::string> FieldReader::optional_text(std::string_view key) {
  return read_text(key, false);
}

std::optional<std::int64_t> FieldReader::optional_count(std::string_view key, std::int64_t low,
                                                        std::int64_t high) {
  return read_count(key, false, low, high);
}

bool FieldReader::flag_or(std::string_view key, bool otherwise) {
  return read_flag(key, false).value_or(otherwise);
}

std::optional<double> FieldReader::optional_number(std::string_view key, double low, double high) {
  const Node* value = find_plain(key, false, "a number");
  if (value == nullptr)
    return std::nullopt;
  const Parsed<double> parsed = parse_number(value->scalar);
  if (!parsed.ok()) {
    problem(key, quote(key) + ' ' + parsed.problem + ", got " + quote(value->scalar));
    return std::nullopt;
  }
  if (parsed.value >= low && parsed.value <= high)
    return parsed.value;
  problem(key, quote(key) + fmt::format(" must be from {} to {}, got ", low, high) + value->scalar);
  return std::nullopt;
}

std::optional<Bytes> FieldReader::optional_bytes(std::string_view key) {
  return read_quantity(key, false, parse_bytes, kSizes.low, kSizes.high);
}

std::optional<BytesPerSecond> FieldReader::optional_bandwidth(std::string_view key) {
  return read_quantity(key, false, parse_bytes_per_second, kBandwidths.low, kBandwidths.high);
}

std::optional<FlopsPerSecond> FieldReader::optional_rate(std::string_view key) {
  return read_quantity(key, false, parse_flops_per_second, kRates.low, kRates.high);
}

std::optional<Hertz> FieldReader::optional_clock(std::string_view key) {
  return read_quantity(key, false, parse_hertz, kClocks.low, kClocks.high);
}

std::optional<Watts> FieldReader::optional_power(std::string_view key) {
  return read_quantity(key, false, parse_watts, kPowers.low, kPowers.high);
}

std::optional<std::string> FieldReader::optional_choice(std::string_view key,
                                                        std::span<const std::string_view> allowed) {
  return read_choice(key, false, allowed);
}

std::vector<std::string> FieldReader::optional_texts(std::string_view key) {
  const Node* list_node = node(key);
  if (list_node == nullptr)
    return {};
  if (list_node->kind != Node::Kind::sequence) {
    problem(key, quote(key) + " must be a list, not " + std::string(kind_name(list_node->kind)));
    return {};
  }
  std::vector<std::string> texts;
  for (const auto& item : list_node->items) {
    if (item->kind == Node::Kind::scalar && !item->scalar.empty()) {
      texts.push_back(item->scalar);
    } else {
      problems_.add(item->at, "every item of " + quote(key) + " must be text");
    }
  }
  return texts;
}

bool FieldReader::section(std::string_view key, bool required,
                          const std::function<void(FieldReader&)>& read) {
  const Node* value = node(key);
  if (value == nullptr) {
    if (required)
      problem(key, "missing " + quote(dotted(key)));
    return false;
  }
  if (value->kind != Node::Kind::map) {
    problem(key, quote(key) + " must be a map, not " + std::string(kind_name(value->kind)));
    return false;
  }
  FieldReader reader(*value, problems_, dotted(key));
  read(reader);
  reader.finish();
  return true;
}

void FieldReader::finish() {
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const NodeEntry& entry : map_.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end())
      continue;
    problems_.add(entry.key_at, "unknown key " + quote(entry.key) + did_you_mean(entry.key, known));
  }
}

}  // namespace roofcast
