#include "roofcast/cli/arguments.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <CLI/CLI.hpp>
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

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names{"--help"};
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  return names;
}

[[noreturn]] void fail_unknown(const CLI::App& app, const std::string& name) {
  static constexpr std::string_view kParallel[] = {"--tp", "--pp", "--ep", "--dp", "--cp"};
  if (std::find(std::begin(kParallel), std::end(kParallel), name) != std::end(kParallel)) {
    throw UsageError(fmt::format(
        "{}: parallel layouts are not part of this version; every answer is for one device", name));
  }
  const std::vector<std::string> names = option_names(app);
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string hint = did_you_mean(name, views);
  if (hint.empty())
    hint = fmt::format("; '{} --help' lists the options", app.get_name());
  throw UsageError(fmt::format("unknown option '{}'{}", name, hint));
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

const CLI::Option& find_option(const CLI::App& app, const std::string& name) {
  for (const CLI::Option* option : app.get_options()) {
    const bool found = name.starts_with("--") ? option->check_lname(name.substr(2))
                                              : option->check_sname(name.substr(1));
    if (found)
      return *option;
  }
  fail_unknown(app, name);
}

/// @return how many arguments the option at `arguments[at]` takes up
std::size_t check_option(const CLI::App& app, const std::vector<std::string>& arguments,
                         std::size_t at, std::set<const CLI::Option*>& seen) {
  const Spelled spelled = split(arguments[at]);
  const CLI::Option& option = find_option(app, spelled.name);
  const bool repeats = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (!seen.insert(&option).second && !repeats) {
    throw UsageError(fmt::format("{} is given twice; give it once", spelled.name));
  }
  const bool is_flag = option.get_items_expected_max() == 0;
  if (is_flag && spelled.value) {
    throw UsageError(fmt::format("{} takes no value, but has '{}'", spelled.name, *spelled.value));
  }
  if (is_flag)
    return 1;
  const bool next_is_value = at + 1 < arguments.size() && !looks_like_option(arguments[at + 1]);
  const bool empty =
      spelled.value ? spelled.value->empty() : next_is_value && arguments[at + 1].empty();
  if (empty || (!spelled.value && !next_is_value)) {
    throw UsageError(fmt::format("{} needs a value: {}", spelled.name, option.get_type_name()));
  }
  return spelled.value ? 1 : 2;
}

[[noreturn]] void fail_parse(const CLI::App& app, const CLI::ParseError& error) {
  throw UsageError(
      fmt::format("{}; '{} --help' shows how it is used", error.what(), app.get_name()));
}

}  // namespace

bool asks_for_help(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--")
      return false;
    if (argument == "--help" || argument == "-h")
      return true;
  }
  return false;
}

void check_arguments(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::set<const CLI::Option*> seen;
  std::size_t words = 0;
  for (std::size_t i = 0; i < arguments.size();) {
    if (arguments[i] == "--") {
      words += arguments.size() - i - 1;
      break;
    }
    if (looks_like_option(arguments[i])) {
      i += check_option(app, arguments, i, seen);
      continue;
    }
    ++words;
    ++i;
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      if (option->get_required() && words == 0) {
        throw UsageError(fmt::format("{} is missing; '{} --help' shows how it is used",
                                     option->get_name(true), app.get_name()));
      }
      words -=
          std::min<std::size_t>(words, static_cast<std::size_t>(option->get_items_expected_max()));
    } else if (option->get_required() && !seen.contains(option)) {
      throw UsageError(fmt::format("{} {} is missing; '{} --help' shows how it is used",
                                   option->get_name(), option->get_type_name(), app.get_name()));
    }
  }
}

void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ExtrasError&) {
    std::string extra = app.remaining().empty() ? std::string() : app.remaining().front();
    throw UsageError(fmt::format("unexpected argument '{}'; '{} --help' shows how it is used",
                                 extra, app.get_name()));
  } catch (const CLI::ParseError& error) {
    fail_parse(app, error);
  }
}

}  // namespace roofcast
