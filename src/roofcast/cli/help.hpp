#pragma once

#include "roofcast/cli/command_line.hpp"

#include <string>

namespace roofcast {

/// `roofcast --help`: what it is, the commands in their order, how to go on.
std::string program_help(int width);

/// `roofcast COMMAND --help`: usage, arguments, options by group with their defaults, an example.
std::string command_help(const CommandLine& line, const CommandEntry& entry, int width);

}  // namespace roofcast
