// Whole answers, compared character by character. A golden file is what a person looked at and
// found right in form; that its numbers are right is shown elsewhere (tests/unit, tests/property,
// tests/cli), from sources and derivations. After a change that is meant, ROOFCAST_BLESS=1 rewrites
// the files: read the difference before it is committed, and name numbers that moved under
// "Predictions" in CHANGELOG.md.
//
// tests/golden/<case>/ holds `cmd` (the arguments, one line), `out`, `err` and `code`;
// tests/golden/writers/ what each writer makes of the sample report.
#include "roofcast/report/report_writer.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_cli.hpp"
#include "support/sample_report.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(ROOFCAST_SOURCE_DIR) / "tests" / "golden";

bool blessing() {
  const char* asked = std::getenv("ROOFCAST_BLESS");
  return asked != nullptr && std::string(asked) == "1";
}

std::optional<std::string> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Holds `got` against the file, or writes it when blessing.
void compare(const fs::path& path, const std::string& got) {
  if (blessing()) {
    std::ofstream(path, std::ios::binary) << got;
    return;
  }
  const std::optional<std::string> want = read(path);
  INFO(path.string() << "; ROOFCAST_BLESS=1 rewrites it, to be read before it is committed");
  REQUIRE_MESSAGE(want.has_value(), "the golden file is missing");
  CHECK(got == *want);
}

/// Commands name files relative to the root of the sources.
class InSourceFolder {
 public:
  InSourceFolder() : before_(fs::current_path()) { fs::current_path(ROOFCAST_SOURCE_DIR); }
  ~InSourceFolder() { fs::current_path(before_); }
  InSourceFolder(const InSourceFolder&) = delete;
  InSourceFolder& operator=(const InSourceFolder&) = delete;

 private:
  fs::path before_;
};

std::vector<fs::path> cases() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(kGolden)) {
    if (fs::exists(entry.path() / "cmd"))
      folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string written(std::string_view format, const WriteOptions& options) {
  std::ostringstream out;
  (*ReportWriters::instance().find(format))->write(test::sample_report(), out, options);
  return out.str();
}

}  // namespace

TEST_CASE("golden: command lines") {
  const InSourceFolder here;
  REQUIRE(cases().size() >= 20);
  for (const fs::path& folder : cases()) {
    const test::CliResult result =
        test::run_cli(test::split_words(read(folder / "cmd").value_or("")));
    compare(folder / "out", result.out);
    compare(folder / "err", result.err);
    compare(folder / "code", std::to_string(result.code) + "\n");
  }
}

TEST_CASE("golden: writers") {
  fs::create_directories(kGolden / "writers");
  for (const std::string_view format : ReportWriters::instance().names()) {
    compare(kGolden / "writers" / (std::string(format) + ".txt"), written(format, {}));
  }
  compare(kGolden / "writers" / "table_140.txt", written("table", {.width = 140}));
  compare(kGolden / "writers" / "table_40.txt", written("table", {.width = 40}));
  compare(kGolden / "writers" / "table_colour.txt",
          written("table", {.width = 80, .colour = true}));
}

}  // namespace roofcast
