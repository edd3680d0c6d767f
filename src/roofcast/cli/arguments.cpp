#include "roofcast/cli/arguments.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// "-5" and "-" are values, "--batch" and "-o" are options.
bool looks_like_option(std::string_view argument) {
  if (argument.size() < 2 || argument[0] != '-')
    return false;
  const char second = argument[1];
  return second == '-' || (second >= 'a' && second <= 'z') || (second >= 'A' && second <= 'Z');
}

/// Name and attached value of "--batch=4", "--batch", "-ofile", "-o".
struct Spelled {
  std::string name;
  std::optional<std::string> value;
};

Spelled split(const std::string& argument) {
  if (argument[1] == '-') {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos)
      return {argument, std::nullopt};
    return {argument.substr(0, equals), argument.substr(equals + 1)};
  }
  if (argument.size() == 2)
    return {argument, std::nullopt};
  return {argument.substr(0, 2), argument.substr(2)};
}

bool is_layout(std::string_view name) {
  static constexpr std::string_view kParallel[] = {"--tp", "--pp", "--ep", "--dp", "--cp"};
  return std::find(std::begin(kParallel), std::end(kParallel), name) != std::end(kParallel);
}

/// One command line being checked.
class Check {
 public:
  Check(std::string_view program, std::span<const DefinedOption> options,
        const std::vector<std::string>& arguments)
      : program_(program), options_(options), arguments_(arguments) {}

  void run() {
    for (std::size_t at = 0; at < arguments_.size();) {
      if (arguments_[at] == "--") {
        words_.insert(words_.end(), arguments_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                      arguments_.end());
        break;
      }
      if (looks_like_option(arguments_[at])) {
        at += check_option(at);
      } else {
        words_.push_back(arguments_[at++]);
      }
    }
    check_words();
    for (const DefinedOption& option : options_) {
      if (option.is_argument() || !option.required || seen_.contains(&option))
        continue;
      throw UsageError(
          fmt::format("{} {} is missing; {}", option.long_name, option.type, see_help()));
    }
  }

 private:
  [[nodiscard]] std::string see_help() const {
    return fmt::format("'{} --help' shows how it is used", program_);
  }

  [[noreturn]] void fail_unknown(const std::string& name) const {
    if (is_layout(name)) {
      throw UsageError(fmt::format(
          "{}: parallel layouts are not part of this version; every answer is for one device",
          name));
    }
    std::vector<std::string_view> names{"--help"};
    for (const DefinedOption& option : options_) {
      if (!option.is_argument())
        names.push_back(option.long_name);
    }
    std::string hint = did_you_mean(name, names);
    if (hint.empty())
      hint = fmt::format("; '{} --help' lists the options", program_);
    throw UsageError(fmt::format("unknown option '{}'{}", printable(name), hint));
  }

  [[nodiscard]] const DefinedOption& find_option(const std::string& name) const {
    for (const DefinedOption& option : options_) {
      if (!option.is_argument() && (option.long_name == name || option.short_name == name))
        return option;
    }
    fail_unknown(name);
  }

  /// A type "[-]COLUMN" says that its values may begin with one dash.
  static bool can_be_value(const DefinedOption& option, const std::string& word) {
    const bool dashed = option.type.starts_with("[-]") && !word.starts_with("--");
    return dashed || !looks_like_option(word);
  }

  /// @return how many arguments the option at `at` takes up
  std::size_t check_option(std::size_t at) {
    const Spelled spelled = split(arguments_[at]);
    const DefinedOption& option = find_option(spelled.name);
    if (!seen_.insert(&option).second && !option.repeats) {
      throw UsageError(fmt::format("{} is given twice; give it once", spelled.name));
    }
    if (option.is_flag()) {
      if (!spelled.value)
        return 1;
      throw UsageError(
          fmt::format("{} takes no value, but has '{}'", spelled.name, printable(*spelled.value)));
    }
    const bool follows = at + 1 < arguments_.size() && can_be_value(option, arguments_[at + 1]);
    const std::string value = spelled.value ? *spelled.value : follows ? arguments_[at + 1] : "";
    if (value.empty()) {
      throw UsageError(fmt::format("{} needs a value: {}", spelled.name, option.type));
    }
    return spelled.value ? 1 : 2;
  }

  void check_words() const {
    std::size_t taken = 0;
    for (const DefinedOption& option : options_) {
      if (!option.is_argument())
        continue;
      const std::size_t left = words_.size() - std::min(taken, words_.size());
      if (option.required && (left == 0 || words_[taken].empty())) {
        throw UsageError(fmt::format("{} is missing; {}", option.argument, see_help()));
      }
      taken += option.repeats ? left : 1;
    }
    if (words_.size() > taken) {
      throw UsageError(
          fmt::format("unexpected argument '{}'; {}", printable(words_[taken]), see_help()));
    }
  }

  std::string_view program_;
  std::span<const DefinedOption> options_;
  const std::vector<std::string>& arguments_;
  std::set<const DefinedOption*> seen_;
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> without_single_layouts(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (argument == "--") {
      kept.insert(kept.end(), arguments.begin() + static_cast<std::ptrdiff_t>(at), arguments.end());
      return kept;
    }
    if (argument.ends_with("=1") &&
        is_layout(std::string_view(argument).substr(0, argument.size() - 2)))
      continue;
    if (is_layout(argument) && at + 1 < arguments.size() && arguments[at + 1] == "1") {
      ++at;
      continue;
    }
    kept.push_back(argument);
  }
  return kept;
}

bool asks_for_help(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--")
      return false;
    if (argument == "--help" || argument == "-h")
      return true;
  }
  return false;
}

void check_arguments(std::string_view program, std::span<const DefinedOption> options,
                     const std::vector<std::string>& arguments) {
  Check(program, options, arguments).run();
}

}  // namespace roofcast
