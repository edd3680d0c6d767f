#include "roofcast/report/writers/text_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofcast {
namespace {

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Bytes of the first `count` code points.
std::size_t prefix_bytes(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && continues(text[at]))
      ++at;
    --count;
  }
  return at;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t have = text_width(text);
  return std::string(width > have ? width - have : 0, ' ') + std::string(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t have = text_width(text);
  return std::string(text) + std::string(width > have ? width - have : 0, ' ');
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  width = std::max<std::size_t>(width, 1);
  while (!text.empty()) {
    std::string_view word = text.substr(0, std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t used = text_width(lines.back());
    if (used > 0 && used + 1 + text_width(word) > width)
      lines.emplace_back();
    while (text_width(word) > width) {
      const std::size_t bytes = prefix_bytes(word, width);
      lines.back() += word.substr(0, bytes);
      lines.emplace_back();
      word.remove_prefix(bytes);
    }
    if (!lines.back().empty())
      lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

std::string bar(double share, std::size_t width) {
  static constexpr std::array<std::string_view, 8> kEighths = {"",  "▏", "▎", "▍",
                                                               "▌", "▋", "▊", "▉"};
  if (!(share > 0.0))
    return "";
  const double eighths = std::round(std::min(share, 1.0) * static_cast<double>(width) * 8.0);
  const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(eighths));
  std::string result;
  for (std::size_t i = 0; i < count / 8; ++i)
    result += "█";
  result += kEighths[count % 8];
  return result;
}

std::string Style::wrap(std::string_view code, std::string_view text) const {
  if (!enabled_ || text.empty())
    return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace roofcast
