#include "roofcast/report/writers/machine_value.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/utf8.hpp"

#include <charconv>
#include <cmath>
#include <type_traits>

namespace roofcast {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

void append_number(std::string& out, double number) {
  if (!std::isfinite(number))
    throw InternalError("a number of the answer is not finite");
  char text[40];
  // -0.0 and 0.0 are the same answer.
  const bool integral = std::fabs(number) < kExactIntegers && std::trunc(number) == number;
  const std::to_chars_result end =
      integral ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(number))
               : std::to_chars(text, text + sizeof text, number);
  out.append(text, end.ptr);
}

double plain(double number) {
  return number;
}
double plain(const Share& share) {
  return share.value;
}
double plain(const Capacity& capacity) {
  return capacity.value.value();
}
template <class Unit>
double plain(const boost::units::quantity<Unit>& quantity) {
  return quantity.value();
}

/// Appends what JSON and CSV write alike and hands text and lists to `on_text`. @return false for
/// null
template <class OnText>
bool append_common(std::string& out, const Value& value, OnText on_text) {
  return std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>) {
          return false;
        } else if constexpr (std::is_same_v<Held, bool>) {
          out += held ? "true" : "false";
        } else if constexpr (std::is_same_v<Held, std::int64_t>) {
          char text[24];
          out.append(text, std::to_chars(text, text + sizeof text, held).ptr);
        } else if constexpr (std::is_same_v<Held, std::string> || std::is_same_v<Held, TextList>) {
          on_text(held);
        } else {
          append_number(out, plain(held));
        }
        return true;
      },
      value);
}

/// One code point as it stands between the quotes of JSON.
void append_json_character(std::string& out, std::string_view character) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(character.front());
  switch (code) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (code >= 0x20) {
    out += character;
    return;
  }
  out += "\\u00";
  out += kHex[code / 16];
  out += kHex[code % 16];
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) {
      out += "\\ufffd";  // file names may hold bytes that are no UTF-8
      ++at;
      continue;
    }
    append_json_character(out, text.substr(at, length));
    at += length;
  }
  out += '"';
}

void append_csv_text(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"')
      out += '"';
    out += c;
  }
  out += '"';
}

namespace {

void append_json_held(std::string& out, const std::string& text) {
  append_json_text(out, text);
}

void append_json_held(std::string& out, const TextList& texts) {
  out += '[';
  for (const std::string& text : texts) {
    if (&text != &texts.front())
      out += ',';
    append_json_text(out, text);
  }
  out += ']';
}

void append_csv_held(std::string& out, const std::string& text) {
  append_csv_text(out, text);
}

void append_csv_held(std::string& out, const TextList& texts) {
  std::string joined;
  for (const std::string& text : texts)
    joined.append(joined.empty() ? "" : ";").append(text);
  append_csv_text(out, joined);
}

}  // namespace

void append_json(std::string& out, const Value& value) {
  const auto on_text = [&out](const auto& held) { append_json_held(out, held); };
  if (!append_common(out, value, on_text))
    out += "null";
}

void append_csv(std::string& out, const Value& value) {
  const auto on_text = [&out](const auto& held) { append_csv_held(out, held); };
  append_common(out, value, on_text);
}

std::vector<KeyedValue> keyed_values(const Report& report) {
  std::vector<KeyedValue> values;
  for (const Block& block : report.blocks) {
    const auto* record = std::get_if<Record>(&block);
    if (record == nullptr)
      continue;
    for (const Field& field : record->fields) {
      if (field.key.empty())
        continue;
      values.push_back(
          {record->key.empty() ? field.key : record->key + "." + field.key, &field.value});
    }
  }
  return values;
}

}  // namespace roofcast
