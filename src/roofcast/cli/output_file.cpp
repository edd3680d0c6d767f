#include "roofcast/cli/output_file.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/utf8.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace roofcast {
namespace {

namespace fs = std::filesystem;

constexpr std::array<int, 5> kInterrupts = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ};
constexpr std::size_t kLongestPath = 4096;

/// The part file of this process: a handler may touch nothing that allocates.
char part_to_remove[kLongestPath];

extern "C" void remove_part(int signal) {
  ::unlink(part_to_remove);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

[[noreturn]] void fail(const std::string& path, std::string_view reason) {
  constexpr std::size_t kShown = 200;
  throw UsageError(fmt::format("cannot write '{}': {}", printable(path, kShown), reason));
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  if (fs::is_directory(status))
    fail(path_, "it is a folder; give the name of a file");
  if (fs::exists(status) && ::access(path_.c_str(), W_OK) != 0)
    fail(path_, std::strerror(errno));
  if (!fs::exists(status) || fs::is_regular_file(status)) {
    // A link stays a link: the file that it points to is replaced.
    if (fs::exists(status))
      path_ = fs::canonical(path_).string();
    part_ = fmt::format("{}.{}.part", path_, ::getpid());
  }
  errno = 0;
  stream_.open(part_.empty() ? path_ : part_);
  if (!stream_) {
    const int reason = errno;
    part_.clear();
    fail(path_, std::strerror(reason));
  }
  if (fs::is_regular_file(status))
    fs::permissions(part_, status.permissions(), ignored);
  guard_part();
}

void OutputFile::guard_part() {
  if (part_.empty() || part_.size() >= kLongestPath)
    return;
  part_.copy(part_to_remove, part_.size());
  part_to_remove[part_.size()] = '\0';
  struct sigaction action {};
  action.sa_handler = remove_part;
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    ::sigaction(kInterrupts[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN)
      ::sigaction(kInterrupts[i], &action, nullptr);
  }
  guarded_ = true;
}

OutputFile::~OutputFile() {
  if (!part_.empty()) {
    stream_.close();
    std::error_code ignored;
    fs::remove(part_, ignored);
  }
  for (std::size_t i = 0; guarded_ && i < kInterrupts.size(); ++i)
    ::sigaction(kInterrupts[i], &before_[i], nullptr);
}

void OutputFile::commit() {
  errno = 0;
  stream_.close();
  if (!stream_)
    fail(path_, errno != 0 ? std::strerror(errno) : "not everything could be written");
  if (part_.empty())
    return;
  std::error_code problem;
  fs::rename(part_, path_, problem);
  if (problem)
    fail(path_, problem.message());
  part_.clear();
}

}  // namespace roofcast
