#pragma once

#include <array>
#include <csignal>
#include <fstream>
#include <string>

namespace roofcast {

/// A file that appears only when it is complete: written beside `path` and renamed by `commit()`.
/// Without a commit the part file is removed, also when the process is interrupted (signals that it
/// was started to ignore stay ignored, as under nohup), and what stood at `path` is untouched. A
/// path that is no regular file (a pipe, /dev/stdout) is written directly. One at a time in a
/// process.
class OutputFile {
 public:
  /// @throws UsageError  the folder is missing, or the file cannot be written
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return stream_; }
  /// @throws UsageError  when what was written could not be stored
  void commit();

 private:
  void guard_part();

  std::string path_;
  std::string part_;  ///< empty when written directly
  std::ofstream stream_;
  bool guarded_ = false;
  std::array<struct sigaction, 5> before_{};  ///< what the signals did
};

}  // namespace roofcast
