#pragma once

#include "roofcast/base/source_span.hpp"
#include "roofcast/input/document.hpp"

#include <string_view>
#include <vector>

namespace roofcast {

/// Collects the problems of one document; `finish()` throws once with all of them, in file order.
class ProblemList {
 public:
  explicit ProblemList(const Document& document) : document_(&document) {}
  /// Adds one problem; control characters in `message` are shown as U+FFFD, 1,000 characters at
  /// most.
  void add(SourcePosition at, std::string_view message);
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  /// @throws InputError  when there is any problem; what() is the complete printable text (of the
  /// first
  ///                     50, then how many more there are), without a line end after the last line
  void finish();

 private:
  const Document* document_;
  std::vector<Problem> problems_;
};

}  // namespace roofcast
