#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// The candidates nearest to `word`, best first, at most `limit`: by edit distance (case and the
/// separators
/// "-_ ." count little), none that is farther than a third of the word's length; then those that
/// begin with the word, as "a100-sxm4-80" does with "a100". Words and candidates beyond 80 bytes
/// have no neighbours.
std::vector<std::string> nearest(std::string_view word,
                                 std::span<const std::string_view> candidates,
                                 std::size_t limit = 3);

/// "; did you mean 'x'?" or "; did you mean 'x', 'y' or 'z'?"; empty when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace roofcast
