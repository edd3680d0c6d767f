#include "roofcast/base/spelling.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace roofcast {
namespace {

// Distances are counted in quarters of an edit, so that case and separators can count little.
constexpr std::size_t kEdit = 4;
constexpr std::size_t kSlip = 1;

// No name of ours is longer; a hostile one must not cost a quadratic search.
constexpr std::size_t kLongest = 80;

constexpr std::size_t kShortestPrefix = 3;

bool is_separator(char c) {
  return c == '-' || c == '_' || c == ' ' || c == '.';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t cost_of_one(char c) {
  return is_separator(c) ? kSlip : kEdit;
}

std::size_t cost_of_change(char from, char to) {
  if (from == to)
    return 0;
  if (lower(from) == lower(to) || (is_separator(from) && is_separator(to)))
    return kSlip;
  return kEdit;
}

/// Optimal string alignment: insertions, deletions, changes, and swaps of neighbours. Damerau 1964.
std::size_t distance(std::string_view from, std::string_view to) {
  using Row = std::array<std::size_t, kLongest + 1>;
  Row before_last{};
  Row last{};
  Row row{};
  for (std::size_t j = 1; j <= to.size(); ++j)
    last[j] = last[j - 1] + cost_of_one(to[j - 1]);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = last[0] + cost_of_one(from[i - 1]);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      row[j] = std::min({last[j] + cost_of_one(from[i - 1]), row[j - 1] + cost_of_one(to[j - 1]),
                         last[j - 1] + cost_of_change(from[i - 1], to[j - 1])});
      const bool swapped = i > 1 && j > 1 && lower(from[i - 1]) == lower(to[j - 2]) &&
                           lower(from[i - 2]) == lower(to[j - 1]);
      if (swapped)
        row[j] = std::min(row[j], before_last[j - 2] + kEdit);
    }
    before_last = last;
    last = row;
  }
  return last[to.size()];
}

/// The letters and digits alone, in lower case: "RTX 4090" and "rtx-4090" are one word.
std::string folded(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (!is_separator(c))
      result += lower(c);
  }
  return result;
}

struct Match {
  std::size_t distance;
  std::string_view name;
};

}  // namespace

std::vector<std::string> nearest(std::string_view word,
                                 std::span<const std::string_view> candidates, std::size_t limit) {
  if (word.empty() || word.size() > kLongest)
    return {};
  const std::size_t farthest = word.size() * kEdit / 3;
  const std::string start = folded(word);
  std::vector<Match> matches;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongest)
      continue;
    const std::size_t edits = distance(word, candidate);
    const bool begins = start.size() >= kShortestPrefix && folded(candidate).starts_with(start);
    // A name that goes on after the word ranks behind every name that is merely misspelt.
    if (edits <= farthest) {
      matches.push_back({edits, candidate});
    } else if (begins) {
      matches.push_back({farthest + edits, candidate});
    }
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const Match& a, const Match& b) { return a.distance < b.distance; });
  std::vector<std::string> names;
  for (const Match& match : matches) {
    if (names.size() == limit)
      break;
    const bool listed = std::find(names.begin(), names.end(), match.name) != names.end();
    if (!listed)
      names.emplace_back(match.name);
  }
  return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::vector<std::string> names = nearest(word, candidates);
  if (names.empty())
    return {};
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0)
      text += i + 1 == names.size() ? " or " : ", ";
    text += '\'' + names[i] + '\'';
  }
  return text + '?';
}

}  // namespace roofcast
