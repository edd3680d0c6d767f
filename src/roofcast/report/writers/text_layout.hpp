#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// Columns that UTF-8 text takes on a screen: one per code point, since the writers use no wide
/// ones.
std::size_t text_width(std::string_view text);

std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken at spaces; a longer word is cut.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// A bar of `share` of `width` columns in eighths of a character; at least a sliver above zero.
std::string bar(double share, std::size_t width);

/// ANSI weights and colours, or nothing at all.
class Style {
 public:
  explicit Style(bool enabled) : enabled_(enabled) {}
  [[nodiscard]] std::string bold(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return wrap("2", text); }
  [[nodiscard]] std::string accent(std::string_view text) const { return wrap("36", text); }
  [[nodiscard]] std::string alert(std::string_view text) const { return wrap("1;31", text); }
  [[nodiscard]] std::string warning(std::string_view text) const { return wrap("33", text); }

 private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const;
  bool enabled_;
};

}  // namespace roofcast
