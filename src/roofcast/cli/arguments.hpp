#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace roofcast {

/// Checks a command line against the options that `app` defines, before the parser sees it: unknown
/// options with the nearest known ones, options without their value, flags with one, options given
/// twice. The parser's own messages name neither what was meant nor what to do.
/// @throws UsageError
void check_arguments(const CLI::App& app, const std::vector<std::string>& arguments);

/// True when `--help` or `-h` stands among the arguments (before a `--`).
bool asks_for_help(const std::vector<std::string>& arguments);

/// Binds the values. @throws UsageError  whatever the parser refuses, with the command's help named
void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace roofcast
