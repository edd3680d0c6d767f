#include "roofcast/report/writers/human_value.hpp"

#include "roofcast/report/writers/text_layout.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

namespace roofcast {

TEST_CASE("human values: units and prefixes that suit the number") {
  CHECK(human(seconds(0.00701)) == "7.01 ms");
  CHECK(human(Capacity{bytes(13421772800.0)}) == "12.50 GiB");
  CHECK(human(Bytes(bytes(13421772800.0))) == "13.4 GB");
  CHECK(human(std::int64_t{2048}) == "2,048");
  CHECK(human(Share{0.83}) == "83 %");
  CHECK(human(4.125) == "4.125");
  CHECK(human(4.15625) == "4.15625");
  CHECK(human(12345.6) == "12,346");
  CHECK(human(true) == "yes");
  CHECK(human(Value{}) == "-");
}

TEST_CASE("human values: all numbers of a column stand in one unit") {
  const ColumnUnit unit = unit_of(seconds(0.00701));
  CHECK(unit.text == "ms");
  CHECK(human_in(seconds(0.00701), unit) == "7.01");
  CHECK(human_in(seconds(1.25), unit) == "1,250");
  CHECK(human_in(seconds(0.0999949), unit) == "100");  // 99.9949 has three digits as 100
  CHECK(human_in(seconds(0.0099949), unit) == "9.99");
  CHECK(human_in(seconds(0.0099951), unit) == "10.0");
  CHECK(human_in(seconds(1e-9), unit) == "<0.001");
  CHECK(human_in(seconds(0.0), unit) == "0");
  CHECK(human_in(Value{}, unit) == "-");

  // 2^20, 2^30 and the decimal prefixes are told apart by their base units.
  CHECK(unit_of(Capacity{bytes(1048576.0)}).factor == 1048576.0);
  CHECK(unit_of(bytes(1e6) / seconds(1.0)).factor == 1e6);
  CHECK(unit_of(seconds(5e-6)).factor == 1e-6);
  CHECK(unit_of(Share{0.5}).factor == 0.01);
  CHECK(unit_of(std::int64_t{5}).text.empty());
  CHECK(human_in(Capacity{bytes(1.0)}, unit_of(Capacity{bytes(1073741824.0)})) == "<0.01");
}

TEST_CASE("human values: a factor and its unit agree for every kind of value and size") {
  // Whatever the prefix, number x factor is the value again, to the three digits shown.
  for (int power = -12; power <= 18; ++power) {
    const double size = 1.5 * std::pow(10.0, power);
    for (const Value& value : {Value{seconds(size)}, Value{bytes(size)}, Value{flops(size)},
                               Value{bytes(size) / seconds(1.0)}, Value{flops(size) / seconds(1.0)},
                               Value{Capacity{bytes(size)}}}) {
      if (power < 0 && !std::holds_alternative<Seconds>(value))
        continue;
      const ColumnUnit unit = unit_of(value);
      INFO(human(value));
      std::string text = human(value);
      std::erase(text, ',');
      const double shown = std::stod(text.substr(0, text.find(' ')));
      CHECK(shown * unit.factor >= 0.99 * size);
      CHECK(shown * unit.factor <= 1.01 * size);
    }
  }
}

TEST_CASE("text layout: width counts code points, wrapping keeps every word") {
  CHECK(text_width("a · b") == 5);
  CHECK(pad_left("·", 3) == "  ·");
  CHECK(pad_right("·", 3) == "·  ");
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
  CHECK(wrap("", 10) == std::vector<std::string>{""});
}

TEST_CASE("text layout: a bar is as long as its share") {
  CHECK(bar(0.0, 8).empty());
  CHECK(bar(0.5, 8) == "████");
  CHECK(bar(1.0, 2) == "██");
  CHECK(bar(7.0, 2) == "██");       // more than the whole is cut
  CHECK(bar(1e-9, 8) == "▏");       // a sliver, since it is not nothing
  CHECK(bar(0.5 / 8.0, 8) == "▌");  // half a character
}

}  // namespace roofcast
