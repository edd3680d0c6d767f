#include "roofcast/base/utf8.hpp"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace roofcast;

// Unicode 15, table 3-7, "Well-Formed UTF-8 Byte Sequences": each row's first and last sequence,
// and the neighbours just outside.
TEST_CASE("utf8: the edges of every well-formed range") {
  CHECK(code_point_length(std::string_view("\x00", 1), 0) == 1);
  CHECK(code_point_length("\x7F", 0) == 1);
  CHECK(code_point_length("\xC2\x80", 0) == 2);
  CHECK(code_point_length("\xDF\xBF", 0) == 2);
  CHECK(code_point_length("\xE0\xA0\x80", 0) == 3);
  CHECK(code_point_length("\xEC\xBF\xBF", 0) == 3);
  CHECK(code_point_length("\xED\x9F\xBF", 0) == 3);
  CHECK(code_point_length("\xEE\x80\x80", 0) == 3);
  CHECK(code_point_length("\xEF\xBF\xBF", 0) == 3);
  CHECK(code_point_length("\xF0\x90\x80\x80", 0) == 4);
  CHECK(code_point_length("\xF3\xBF\xBF\xBF", 0) == 4);
  CHECK(code_point_length("\xF4\x8F\xBF\xBF", 0) == 4);
}

TEST_CASE("utf8: malformed bytes") {
  CHECK(code_point_length("", 0) == 0);
  CHECK(code_point_length("\x80", 0) == 0);              // a continuation alone
  CHECK(code_point_length("\xC0\x80", 0) == 0);          // overlong NUL
  CHECK(code_point_length("\xC1\xBF", 0) == 0);          // overlong ASCII
  CHECK(code_point_length("\xE0\x9F\xBF", 0) == 0);      // overlong
  CHECK(code_point_length("\xED\xA0\x80", 0) == 0);      // U+D800, a surrogate
  CHECK(code_point_length("\xED\xBF\xBF", 0) == 0);      // U+DFFF, a surrogate
  CHECK(code_point_length("\xF0\x8F\xBF\xBF", 0) == 0);  // overlong
  CHECK(code_point_length("\xF4\x90\x80\x80", 0) == 0);  // U+110000
  CHECK(code_point_length("\xF5\x80\x80\x80", 0) == 0);
  CHECK(code_point_length("\xFF", 0) == 0);
  CHECK(code_point_length("\xC2", 0) == 0);      // cut off
  CHECK(code_point_length("\xE2\x82", 0) == 0);  // cut off
  CHECK(code_point_length("\xE2\x82x", 0) == 0);
  CHECK(code_point_length("\xF0\x9F\x98", 0) == 0);  // cut off
}

TEST_CASE("utf8: code points are counted, malformed bytes one by one") {
  CHECK(count_code_points("") == 0);
  CHECK(count_code_points("abc") == 3);
  CHECK(count_code_points("é€😀") == 3);
  CHECK(count_code_points("a\xFF\x80z") == 4);
}

TEST_CASE("utf8: control characters are C0, DEL and C1") {
  const auto is = [](std::string_view text) {
    return is_control(text, 0, code_point_length(text, 0));
  };
  CHECK(is(std::string_view("\0", 1)));
  CHECK(is("\x1B"));
  CHECK(is("\x7F"));
  CHECK(is("\xC2\x80"));
  CHECK(is("\xC2\x9F"));
  CHECK_FALSE(is(" "));
  CHECK_FALSE(is("~"));
  CHECK_FALSE(is("\xC2\xA0"));
  CHECK_FALSE(is("é"));
  CHECK_FALSE(is("€"));
}

TEST_CASE("utf8: text for messages is one printable line of limited length") {
  CHECK(printable("plain é€😀") == "plain é€😀");
  CHECK(printable("\x1B[31mred\n") == "\uFFFD[31mred\uFFFD");
  CHECK(printable("a\xFF") == "a\uFFFD");
  CHECK(printable("éééé", 4) == "éééé");
  CHECK(printable("ééééé", 4) == "éééé...");
  CHECK(printable(std::string(1'000'000, 'x')) == std::string(60, 'x') + "...");
}
