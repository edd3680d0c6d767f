#include "roofcast/base/source_span.hpp"

#include "roofcast/base/error.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace roofcast;

TEST_CASE("source span: file, line, column, message, the line and a caret") {
  const std::string text = "name: x\nheads: 32\n  kv_heads: 5\n";
  CHECK(describe({"my.yaml", {3, 13}, "'kv_heads' must divide 'heads' (32), got 5"}, text) ==
        "my.yaml:3:13: error: 'kv_heads' must divide 'heads' (32), got 5\n"
        "    3 |   kv_heads: 5\n"
        "      |             ^");
}

// The first column of an excerpt is blank, whatever the number of the line: that tells it from the
// next problem.
TEST_CASE("source span: lines beyond 9,999 keep a blank before their number") {
  for (const int lines : {9'999, 10'000, 1'000'000}) {
    const std::string text = std::string(static_cast<std::size_t>(lines - 1), '\n') + "x";
    const std::string excerpt = describe({"f", {lines, 1}, "m"}, text);
    const std::size_t first = excerpt.find('\n') + 1;
    CHECK(excerpt[first] == ' ');
    CHECK(excerpt[excerpt.find('\n', first) + 1] == ' ');
    CHECK(excerpt.find(std::to_string(lines) + " | x\n") != std::string::npos);
  }
}

TEST_CASE("source span: line 0 is the file as a whole and has no excerpt") {
  CHECK(describe({"my.yaml", {}, "is empty"}, "") == "my.yaml: error: is empty");
}

TEST_CASE("source span: columns count characters, not bytes") {
  CHECK(describe({"f", {1, 4}, "m"}, "é€😀x") ==
        "f:1:4: error: m\n"
        "    1 | é€😀x\n"
        "      |    ^");
}

TEST_CASE("source span: tabs before the caret stay tabs") {
  CHECK(describe({"f", {1, 4}, "m"}, "a\tb\tc") ==
        "f:1:4: error: m\n"
        "    1 | a\tb\tc\n"
        "      |  \t ^");
}

TEST_CASE("source span: a carriage return is no part of the line") {
  CHECK(describe({"f", {1, 1}, "m"}, "a: 1\r\nb: 2\r\n") ==
        "f:1:1: error: m\n"
        "    1 | a: 1\n"
        "      | ^");
}

TEST_CASE("source span: a column behind the line, a line behind the text") {
  CHECK(describe({"f", {1, 99}, "m"}, "abc\n") ==
        "f:1:99: error: m\n"
        "    1 | abc\n"
        "      |    ^");
  CHECK(describe({"f", {2, 1}, "m"}, "abc\n") ==
        "f:2:1: error: m\n"
        "    2 | \n"
        "      | ^");
  CHECK(describe({"f", {3, 1}, "m"}, "abc\n") == "f:3:1: error: m");
}

TEST_CASE("source span: what a terminal would obey is not printed") {
  CHECK(describe({"f", {1, 5}, "m"},
                 "a\x1B[2\xFF"
                 "b") ==
        "f:1:5: error: m\n"
        "    1 | a\uFFFD[2\uFFFDb\n"
        "      |     ^");
}

TEST_CASE("source span: a line number of six digits moves the gutter") {
  std::string text;
  for (int i = 1; i < 100'000; ++i)
    text += '\n';
  CHECK(describe({"f", {100'000, 1}, "m"}, text + "x") ==
        "f:100000:1: error: m\n"
        " 100000 | x\n"
        "        | ^");
}

// 72 characters are shown. Of 200, the caret in the middle leaves 36 before it, cut marks included.
TEST_CASE("source span: a long line is cut around the column") {
  const std::string line = std::string(100, 'a') + 'X' + std::string(99, 'b');
  CHECK(describe({"f", {1, 101}, "m"}, line) ==
        "f:1:101: error: m\n"
        "    1 | ..." +
            std::string(33, 'a') + 'X' + std::string(32, 'b') + "...\n" + "      | " +
            std::string(36, ' ') + '^');
  CHECK(describe({"f", {1, 1}, "m"}, line) ==
        "f:1:1: error: m\n"
        "    1 | " +
            std::string(69, 'a') + "...\n" + "      | ^");
  CHECK(describe({"f", {1, 200}, "m"}, line) ==
        "f:1:200: error: m\n"
        "    1 | ..." +
            std::string(69, 'b') + '\n' + "      | " + std::string(71, ' ') + '^');
  CHECK(describe({"f", {1, 1}, "m"}, std::string(72, 'a')) ==
        "f:1:1: error: m\n"
        "    1 | " +
            std::string(72, 'a') + '\n' + "      | ^");
}

TEST_CASE("error: a broken invariant names its condition and its place") {
  const auto check_that_two_is_one = [] { ROOFCAST_CHECK(2 == 1); };
  CHECK_THROWS_AS(check_that_two_is_one(), InternalError);
  try {
    fail_check("2 == 1", "phase.cpp", 12);
  } catch (const InternalError& error) {
    CHECK(std::string(error.what()) ==
          "phase.cpp:12: internal error: '2 == 1' does not hold; please report this");
  }
  CHECK_NOTHROW(ROOFCAST_CHECK(1 == 1));
}
