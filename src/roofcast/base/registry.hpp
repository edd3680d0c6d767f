#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofcast {

/// A list that files add themselves to before main() runs, sorted by name. The registering objects
/// must be linked directly into the executable (OBJECT libraries): a static library drops them
/// without a word.
///
/// A name given twice is recorded, not thrown: during static initialisation a throw is
/// std::terminate without a message. `cli` and a unit test report `duplicates()`.
template <class Entry>
class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  bool add(std::string name, Entry entry) {
    const auto at =
        std::lower_bound(entries_.begin(), entries_.end(), name,
                         [](const auto& e, const std::string& n) { return e.first < n; });
    if (at != entries_.end() && at->first == name) {
      duplicates_.push_back(std::move(name));
      return false;
    }
    entries_.emplace(at, std::move(name), std::move(entry));
    return true;
  }

  [[nodiscard]] const Entry* find(std::string_view name) const {
    for (const auto& [known, entry] : entries_) {
      if (known == name)
        return &entry;
    }
    return nullptr;
  }

  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> result;
    for (const auto& entry : entries_)
      result.emplace_back(entry.first);
    return result;
  }

  [[nodiscard]] const std::vector<std::pair<std::string, Entry>>& entries() const {
    return entries_;
  }
  [[nodiscard]] const std::vector<std::string>& duplicates() const { return duplicates_; }

 private:
  std::vector<std::pair<std::string, Entry>> entries_;
  std::vector<std::string> duplicates_;
};

}  // namespace roofcast
