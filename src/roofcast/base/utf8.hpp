#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// The little of UTF-8 that positions and messages need.
namespace roofcast {

/// Bytes of the well-formed code point that starts at `at` (1 to 4); 0 when there is none: overlong
/// forms, surrogates and values above U+10FFFF are malformed. Unicode 15, table 3-7.
std::size_t code_point_length(std::string_view text, std::size_t at);

/// Code points in `text`; each malformed byte counts as one.
std::size_t count_code_points(std::string_view text);

/// Whether the code point of `length` bytes at `at` is a control character (C0, DEL or C1).
bool is_control(std::string_view text, std::size_t at, std::size_t length);

/// `text` fit for one line of a message: control characters and malformed bytes become U+FFFD, and
/// what is longer than `limit` code points ends in "...".
std::string printable(std::string_view text, std::size_t limit = 60);

}  // namespace roofcast
