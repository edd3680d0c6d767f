#include "support/run_cli.hpp"

#include <sstream>

#include <doctest/doctest.h>

namespace roofcast::test {

CliResult run_cli(const std::vector<std::string>& arguments, const Environment& environment) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(arguments, out, err, environment);
  return {code, out.str(), err.str()};
}

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  bool any = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && (c == ' ' || c == '\n')) {
      if (any)
        words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any)
    words.push_back(word);
  return words;
}

nlohmann::json run_json(const std::string& line) {
  std::vector<std::string> words = split_words(line);
  words.insert(words.end(), {"--format", "json"});
  const CliResult result = run_cli(words);
  INFO(line);
  INFO(result.err);
  REQUIRE(result.code <= 1);
  return nlohmann::json::parse(result.out);
}

}  // namespace roofcast::test
