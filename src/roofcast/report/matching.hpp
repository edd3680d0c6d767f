#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// True when one of `texts` contains `filter`, whatever the case.
bool any_contains(const std::vector<std::string>& texts, std::string_view filter);

/// "a, b, c"
std::string joined(const std::vector<std::string>& texts);

}  // namespace roofcast
