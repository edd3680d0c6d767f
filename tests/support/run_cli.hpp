#pragma once

#include "roofcast/cli/app.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace roofcast::test {

/// What one command line answered.
struct CliResult {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs a command line in process, without a terminal unless `environment` says otherwise.
CliResult run_cli(const std::vector<std::string>& arguments, const Environment& environment = {});

/// Words of a line, split at blanks; 'single quotes' keep blanks and may be empty.
std::vector<std::string> split_words(const std::string& line);

/// The answer as JSON; the test fails when the command does not answer.
nlohmann::json run_json(const std::string& line);

}  // namespace roofcast::test
