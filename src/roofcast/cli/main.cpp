#include "roofcast/cli/app.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

namespace {

/// Columns of the terminal that stdout is, or 80.
int terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int stated = columns != nullptr ? std::atoi(columns) : 0;
  return stated > 0 ? stated : 80;
}

/// Where further cards and profiles may lie: the folders of $ROOFCAST_DATA, then what is installed
/// beside the program.
std::vector<std::string> data_folders() {
  std::vector<std::string> folders;
  if (const char* stated = std::getenv("ROOFCAST_DATA"); stated != nullptr && *stated != '\0') {
    std::string_view rest = stated;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0)
        folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const auto installed = program.parent_path().parent_path() / "share/roofcast";
  if (!unknown && std::filesystem::is_directory(installed, unknown))
    folders.push_back(installed.string());
  return folders;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const char* no_color = std::getenv("NO_COLOR");
  roofcast::Environment environment;
  environment.stdout_is_terminal = isatty(STDOUT_FILENO) == 1;
  environment.stderr_is_terminal = isatty(STDERR_FILENO) == 1;
  environment.columns = terminal_columns();
  const char* terminal = std::getenv("TERM");
  environment.no_color = (no_color != nullptr && *no_color != '\0') ||
                         (terminal != nullptr && std::string_view(terminal) == "dumb");
  environment.data_folders = data_folders();
  return roofcast::run({argv + 1, argv + argc}, std::cout, std::cerr, environment);
}
