#include "roofcast/base/utf8.hpp"

#include <algorithm>

namespace roofcast {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// A lead byte's sequence length and the range of the byte after it; the rest is always 80..BF.
struct Lead {
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
};

Lead classify(unsigned lead) {
  if (lead < 0x80)
    return {1};
  if (lead < 0xC2)
    return {};  // a continuation, or an overlong form of ASCII
  if (lead < 0xE0)
    return {2};
  if (lead == 0xE0)
    return {3, 0xA0, 0xBF};
  if (lead == 0xED)
    return {3, 0x80, 0x9F};  // no surrogates
  if (lead < 0xF0)
    return {3};
  if (lead == 0xF0)
    return {4, 0x90, 0xBF};
  if (lead < 0xF4)
    return {4};
  if (lead == 0xF4)
    return {4, 0x80, 0x8F};  // nothing above U+10FFFF
  return {};
}

}  // namespace

std::size_t code_point_length(std::string_view text, std::size_t at) {
  if (at >= text.size())
    return 0;
  const Lead lead = classify(byte_at(text, at));
  if (lead.length <= 1)
    return lead.length;
  if (at + lead.length > text.size())
    return 0;
  const unsigned second = byte_at(text, at + 1);
  if (second < lead.low || second > lead.high)
    return 0;
  for (std::size_t i = at + 2; i < at + lead.length; ++i) {
    if (byte_at(text, i) < 0x80 || byte_at(text, i) > 0xBF)
      return 0;
  }
  return lead.length;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    at += std::max<std::size_t>(code_point_length(text, at), 1);
  }
  return count;
}

bool is_control(std::string_view text, std::size_t at, std::size_t length) {
  const unsigned first = byte_at(text, at);
  if (length == 1)
    return first < 0x20 || first == 0x7F;
  return length == 2 && first == 0xC2 && byte_at(text, at + 1) < 0xA0;
}

std::string printable(std::string_view text, std::size_t limit) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string result;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (count == limit)
      return result + "...";
    const std::size_t length = code_point_length(text, at);
    const bool shows = length > 0 && !is_control(text, at, length);
    result += shows ? text.substr(at, length) : kReplacement;
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

}  // namespace roofcast
