#pragma once

#include "roofcast/cli/define.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// Checks a command line against the options of its command, before the parser sees it: unknown
/// options with the nearest known ones, options without their value, flags with one, options given
/// twice, arguments that are missing or too many. The parser's own messages name neither what was
/// meant nor what to do. `program` is "roofcast estimate".
/// @throws UsageError
void check_arguments(std::string_view program, std::span<const DefinedOption> options,
                     const std::vector<std::string>& arguments);

/// `arguments` without "--tp 1" and its like, which ask for what every answer is: one device. Other
/// layouts stay, and are refused by check_arguments.
std::vector<std::string> without_single_layouts(const std::vector<std::string>& arguments);

/// True when `--help` or `-h` stands among the arguments (before a `--`).
bool asks_for_help(const std::vector<std::string>& arguments);

}  // namespace roofcast
