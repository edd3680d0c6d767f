#pragma once

#include "roofcast/units/quantity.hpp"

#include <cmath>
#include <cstdio>
#include <string>

#include <doctest/doctest.h>

/// Comparison of numbers in tests. doctest's own Approx adds an absolute slack of 1e-5, which makes
/// any two times below 10 us equal, so it is banned; these have no absolute slack unless one is
/// asked for.
namespace roofcast::test {

/// Both finite and |got - want| <= relative x |want|. A wanted zero needs got == 0.
inline bool near(double got, double want, double relative) {
  return std::isfinite(got) && std::isfinite(want) &&
         std::fabs(got - want) <= relative * std::fabs(want);
}

/// Both finite and |got - want| <= slack.
inline bool within(double got, double want, double slack) {
  return std::isfinite(got) && std::isfinite(want) && std::fabs(got - want) <= slack;
}

template <class Unit>
bool near(const boost::units::quantity<Unit>& got, const boost::units::quantity<Unit>& want,
          double relative) {
  return near(got.value(), want.value(), relative);
}

}  // namespace roofcast::test

/// Prints quantities with 17 digits, so that a failed comparison shows the difference.
template <class Unit>
struct doctest::StringMaker<boost::units::quantity<Unit>> {
  static doctest::String convert(const boost::units::quantity<Unit>& q) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", q.value());
    return text;
  }
};
