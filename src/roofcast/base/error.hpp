#pragma once

#include "roofcast/base/source_span.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// What the library throws. It never prints, exits or asserts on input; cli/app.cpp turns each type
/// into its exit status.
namespace roofcast {

/// An input file is malformed: carries every problem found in that file. Exit status 3.
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& message, std::vector<Problem> problems)
      : std::runtime_error(message), problems_(std::move(problems)) {}
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A name that is not known (model, device, format, command, quantity) or an option that cannot be.
/// The message names what is nearest or what is allowed. Exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Inputs that are legal one by one but not together: heads that do not divide, a context beyond
/// what the positions of the model hold. Exit status 2.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invariant of the program itself is broken. Exit status 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* condition, const char* file, int line);

}  // namespace roofcast

/// Throws InternalError when a condition that the code itself guarantees does not hold.
#define ROOFCAST_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::roofcast::fail_check(#condition, __FILE__, __LINE__))
