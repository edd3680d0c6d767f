#include "roofcast/input/problem_list.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/utf8.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace roofcast {
namespace {

// Enough to mend a file by; a hostile one must not print megabytes.
constexpr std::size_t kMostShown = 50;

constexpr std::size_t kLongestMessage = 1000;

bool earlier(const Problem& a, const Problem& b) {
  return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
}

}  // namespace

void ProblemList::add(SourcePosition at, std::string_view message) {
  // Messages quote the file, which a terminal must not obey.
  problems_.push_back({document_->file, at, printable(message, kLongestMessage)});
}

void ProblemList::finish() {
  if (problems_.empty())
    return;
  std::stable_sort(problems_.begin(), problems_.end(), earlier);
  std::string text;
  for (std::size_t i = 0; i < std::min(problems_.size(), kMostShown); ++i) {
    if (i > 0)
      text += '\n';
    text += describe(problems_[i], document_->text);
  }
  if (problems_.size() > kMostShown) {
    text += '\n' + document_->file + ": " + std::to_string(problems_.size() - kMostShown) +
            " more problems";
  }
  throw InputError(text, std::move(problems_));
}

}  // namespace roofcast
