#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace roofcast {

/// What the process knows and a test can set: nothing below reads the environment.
struct Environment {
  bool stdout_is_terminal = false;
  bool stderr_is_terminal = false;
  int columns = 80;
  bool no_color = false;
  std::vector<std::string> data_folders;  ///< searched after the embedded catalogue
};

/// Runs one command line, without the program's name. Answers go to `out`, everything else to
/// `err`.
/// @return the exit status of design section "Exit status": 0, 1, 2, 3, 4 or 70
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
        const Environment& environment);

}  // namespace roofcast
