#include "roofcast/base/error.hpp"
#include "roofcast/input/document.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace roofcast {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  const Problem problem{path, {}, message};
  throw InputError(describe(problem, {}), {problem});
}

/// What the shell hands over: standard input and process substitution, whose writer is at work.
bool is_handed_over(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  std::error_code ignored;  // a path that cannot be examined fails below, with the system's reason
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status))
    fail(path, "is a folder, not a file");
  // Opening a pipe that nobody writes to would wait forever.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !is_handed_over(path)) {
    fail(path, "is a pipe, a socket or a device, not a file; copy it to a file first");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    fail(path, "cannot be read: " + std::generic_category().message(errno));
  // One byte more than allowed, whatever size the file claims: pipes claim none.
  std::string bytes(limit + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.bad())
    fail(path, "cannot be read: " + std::generic_category().message(errno));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.size() > limit)
    fail(path, "is larger than " + std::to_string(limit) + " bytes");
  return bytes;
}

}  // namespace roofcast
