#include "support/bad_files.hpp"

#include "roofcast/input/document.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

using namespace roofcast;
using namespace roofcast::test;

namespace {

/// A folder of its own per process, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("roofcast_bad_files_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void refuse(const std::string& name, const std::string& text) {
  throw InputError(name + ": " + text);
}

using Failures = std::vector<std::string>;

}  // namespace

TEST_CASE("bad files: the driver accepts what matches and counts it") {
  const TemporaryFolder folder;
  folder.write("a.yaml", "x");
  folder.write("a.err", "a.yaml: x\n");
  folder.write("notes.txt", "");
  const BadFiles result = run_bad_files(folder.path(), refuse, false);
  CHECK(result.count == 1);
  CHECK(result.failures.empty());
}

TEST_CASE("bad files: the driver fails a message that differs, if only in its last line end") {
  const TemporaryFolder folder;
  folder.write("a.yaml", "x");
  folder.write("a.err", "a.yaml: x");
  CHECK(run_bad_files(folder.path(), refuse, false).failures ==
        Failures{"a.yaml gives\na.yaml: x\nand should give\na.yaml: x"});
}

TEST_CASE("bad files: the driver fails a missing .err and one without its file") {
  const TemporaryFolder folder;
  folder.write("a.yaml", "x");
  folder.write("b.err", "y");
  CHECK(run_bad_files(folder.path(), refuse, false).failures ==
        Failures{"a.yaml has no .err beside it; ROOFCAST_BLESS=1 writes this one:\na.yaml: x\n",
                 "b.err has lost its .yaml"});
}

TEST_CASE("bad files: the driver fails a file that is accepted or that ends in another exception") {
  const TemporaryFolder folder;
  folder.write("a.yaml", "x");
  const auto accept = [](const std::string&, const std::string&) {};
  CHECK(run_bad_files(folder.path(), accept, false).failures == Failures{"a.yaml was accepted"});
  CHECK(run_bad_files(folder.path(), accept, true).failures == Failures{"a.yaml was accepted"});
  const auto fail = [](const std::string&, const std::string&) { throw std::out_of_range("at"); };
  CHECK(run_bad_files(folder.path(), fail, false).failures ==
        Failures{"a.yaml ended in something other than InputError: at"});
}

TEST_CASE("bad files: blessing writes what the next run accepts") {
  const TemporaryFolder folder;
  folder.write("a.yaml", "x");
  CHECK(run_bad_files(folder.path(), refuse, true).failures.empty());
  CHECK(file_bytes(folder.path() / "a.err") == "a.yaml: x\n");
  CHECK(run_bad_files(folder.path(), refuse, false).failures.empty());
}

TEST_CASE("bad documents: every problem of every file") {
  check_bad_files("bad_documents", 45, [](std::string name, std::string text) {
    parse_document(std::move(name), std::move(text));
  });
}
