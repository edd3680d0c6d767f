#pragma once

#include "roofcast/catalogue/catalogue.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The profiles that ship, parsed once for all tests that look at many of them.
namespace roofcast::test {

inline const std::vector<HardwareProfile>& all_profiles() {
  static const std::vector<HardwareProfile> profiles = Catalogue().all_hardware();
  return profiles;
}

inline const HardwareProfile& profile_of(std::string_view wanted) {
  for (const HardwareProfile& profile : all_profiles()) {
    const auto& aliases = profile.aliases;
    if (profile.name == wanted ||
        std::find(aliases.begin(), aliases.end(), wanted) != aliases.end())
      return profile;
  }
  throw std::out_of_range("no profile " + std::string(wanted));
}

}  // namespace roofcast::test
