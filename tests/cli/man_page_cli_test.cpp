#include "roofcast/cli/command.hpp"
#include "roofcast/input/document.hpp"

#include <regex>
#include <set>
#include <string>

#include "support/run_cli.hpp"
#include <doctest/doctest.h>

namespace roofcast {

TEST_CASE("man page: names every command and every option that a help text names") {
  const std::string page = read_file(ROOFCAST_SOURCE_DIR "/docs/roofcast.1", 1 << 20);
  const std::regex option("--[a-z][a-z-]+");
  std::set<std::string> words;
  for (const std::string_view command : Commands::instance().names()) {
    words.insert(std::string(command));
    const std::string help = test::run_cli({std::string(command), "--help"}).out;
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at)
      words.insert(at->str());
  }
  REQUIRE(words.size() > 30);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(page.find(word) != std::string::npos);
  }
}

}  // namespace roofcast
