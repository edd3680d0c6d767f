// `roofcast check`: a verdict for each file, within what was tried.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/run_cli.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

namespace fs = std::filesystem;
using test::CliResult;
using test::run_cli;
using test::split_words;

}  // namespace

// A line for each file; what was tried grows with the files, not with their product.
TEST_CASE("check command: many files have a row each") {
  std::string line = "check";
  std::size_t files = 0;
  for (const char* folder : {"model_cards", "hw_profiles"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(ROOFCAST_SOURCE_DIR) / folder)) {
      if (entry.path().filename().string().find("llama-2-") == std::string::npos &&
          entry.path().filename().string().find("-t4-") == std::string::npos)
        continue;
      line += " " + entry.path().string();
      ++files;
    }
  }
  const std::string twice = line + line.substr(std::string("check").size());
  const auto few = test::run_json(line);
  const auto many = test::run_json(twice);
  CHECK(few["rows"].size() == files);
  CHECK(many["rows"].size() == 2 * files);
  CHECK(few["failed"] == 0);
  const CliResult table = run_cli(split_words(twice));
  CHECK(table.code == 0);
  CHECK(table.out.find("Every invariant holds.") != std::string::npos);
  CHECK(static_cast<std::size_t>(std::count(table.out.begin(), table.out.end(), '\n')) <
        2 * files + 8);
}

TEST_CASE("check command: what nobody could try is not said to hold") {
  const std::string profile = (fs::temp_directory_path() / "roofcast_check_test.yaml").string();
  std::ofstream(profile)
      << "schema: roofcast/hardware/1\nname: mine\nvendor: ACME\n"
         "architecture: my_own\nmemory: {capacity: 8 GiB, bandwidth: unpublished}\n"
         "compute: {fp16_tensor: 50 TFLOP/s}\nsource: made up for a test\n";
  const CliResult result = run_cli({"check", profile});
  fs::remove(profile);
  INFO(result.err);
  CHECK(result.code == 0);
  CHECK(result.out.find("nothing could be checked") != std::string::npos);
  CHECK(result.out.find("holds") == result.out.rfind("holds"));  // the head of a column
}

}  // namespace roofcast
