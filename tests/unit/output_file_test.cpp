#include "roofcast/cli/output_file.hpp"

#include "roofcast/base/error.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roofcast {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, removed at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / "roofcast_output_file_test";
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path / name).string(); }
  [[nodiscard]] auto entries() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("output file: nothing is at its place before it is complete") {
  const Folder folder;
  const std::string path = folder.file("answer");
  {
    OutputFile file(path);
    file.stream() << "half";
    CHECK_FALSE(fs::exists(path));
    file.stream() << " and half";
    file.commit();
  }
  CHECK(contents(path) == "half and half");
  CHECK(folder.entries() == 1);
}

TEST_CASE("output file: without a commit the old contents stay and the part is gone") {
  const Folder folder;
  const std::string path = folder.file("answer");
  std::ofstream(path) << "old";
  { OutputFile(path).stream() << "new"; }
  CHECK(contents(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("output file: permissions of a replaced file stay") {
  const Folder folder;
  const std::string path = folder.file("answer");
  std::ofstream(path) << "old";
  const fs::perms mine = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(path, mine);
  OutputFile file(path);
  file.commit();
  CHECK(fs::status(path).permissions() == mine);
}

TEST_CASE("output file: an interrupted process leaves no part behind and dies of its signal") {
  const Folder folder;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      OutputFile file(folder.file("answer"));
      file.stream() << "half" << std::flush;
      std::raise(signal);
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(folder.entries() == 0);
  }
}

// nohup starts a process with SIGHUP ignored, a shell's "&" with SIGINT and SIGQUIT.
TEST_CASE("output file: a signal that is ignored stays ignored") {
  const Folder folder;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGHUP, SIG_IGN);
    OutputFile file(folder.file("answer"));
    file.stream() << "whole";
    std::raise(SIGHUP);
    file.commit();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(contents(folder.file("answer")) == "whole");
}

TEST_CASE("output file: signals do what they did before when it is gone") {
  const Folder folder;
  struct sigaction before {};
  ::sigaction(SIGINT, nullptr, &before);
  {
    OutputFile file(folder.file("answer"));
    struct sigaction during {};
    ::sigaction(SIGINT, nullptr, &during);
    CHECK((during.sa_handler != before.sa_handler));
  }
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &after);
  CHECK((after.sa_handler == before.sa_handler));
}

TEST_CASE("output file: a missing folder and a folder are refused with their name") {
  const Folder folder;
  CHECK_THROWS_AS(OutputFile(folder.file("no/such/file")), UsageError);
  CHECK_THROWS_AS(OutputFile(folder.path.string()), UsageError);
}

}  // namespace roofcast
