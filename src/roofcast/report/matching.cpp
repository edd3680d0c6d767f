#include "roofcast/report/matching.hpp"

#include <algorithm>

namespace roofcast {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool any_contains(const std::vector<std::string>& texts, std::string_view filter) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    return std::search(text.begin(), text.end(), filter.begin(), filter.end(), same) !=
               text.end() ||
           filter.empty();
  });
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) {
    if (!result.empty())
      result += ", ";
    result += text;
  }
  return result;
}

}  // namespace roofcast
