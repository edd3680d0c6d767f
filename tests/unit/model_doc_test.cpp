// docs/model.md against the code: its equations are numbered without gaps, and what it names
// exists.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

std::string read(const std::filesystem::path& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path source_folder() {
  return ROOFCAST_SOURCE_DIR;
}

/// The text under each heading "### Eq. N: ...", in order.
struct Equation {
  int number = 0;
  std::string body;
};

std::vector<Equation> equations() {
  std::istringstream document(read(source_folder() / "docs/model.md"));
  const std::regex heading("### Eq\\. ([0-9]+): .+");
  std::vector<Equation> found;
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    std::smatch match;
    if (std::regex_match(line, match, heading)) {
      found.push_back({std::stoi(match[1]), ""});
      inside = true;
    } else if (line.starts_with("#")) {
      inside = false;
    } else if (inside) {
      found.back().body += line + "\n";
    }
  }
  return found;
}

/// Every source file under src/ in one text.
std::string all_sources() {
  std::string text;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(source_folder() / "src/roofcast")) {
    const auto extension = entry.path().extension();
    if (extension == ".cpp" || extension == ".hpp")
      text += read(entry.path());
  }
  return text;
}

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

}  // namespace

TEST_CASE("model.md: equations count from 1 without gaps") {
  const std::vector<Equation> all = equations();
  REQUIRE(all.size() >= 20);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(all[i].number == static_cast<int>(i) + 1);
}

TEST_CASE("model.md: every equation has a formula, code that exists, and a source") {
  const std::string sources = all_sources();
  for (const Equation& equation : equations()) {
    CAPTURE(equation.number);
    CHECK(equation.body.find("\n    ") != std::string::npos);
    CHECK(equation.body.find("\nSource: ") != std::string::npos);
    const auto code = all_matches(equation.body, std::regex("\nCode: ([^\n]+)"));
    REQUIRE(code.size() == 1);
    const auto functions = all_matches(code.front(), std::regex("`([a-z_]+)`"));
    CHECK_FALSE(functions.empty());
    for (const std::string& function : functions) {
      const bool exists = std::regex_search(sources, std::regex("\\b" + function + "\\("));
      CHECK_MESSAGE(exists, function);
    }
  }
}

TEST_CASE("model.md: the code cites no equation that is not there") {
  const auto last = static_cast<int>(equations().size());
  const auto cited = all_matches(all_sources(), std::regex("Eq\\. ([0-9]+)"));
  CHECK(cited.size() > 20);
  for (const std::string& number : cited) {
    CHECK(std::stoi(number) >= 1);
    CHECK(std::stoi(number) <= last);
  }
}
