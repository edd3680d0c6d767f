#include "roofcast/input/field_reader.hpp"

#include "roofcast/base/error.hpp"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace roofcast;

namespace {

using Read = std::function<void(FieldReader&)>;

/// The complete message that reading `text` gives; "ok" when there is none.
std::string message(const std::string& text, const Read& read) {
  const Document document = parse_document("f.yaml", text);
  ProblemList problems(document);
  FieldReader reader(document.root, problems);
  read(reader);
  reader.finish();
  try {
    problems.finish();
  } catch (const InputError& error) {
    return error.what();
  }
  return "ok";
}

/// Its first line without the place, for tests of one problem.
std::string problem(const std::string& text, const Read& read) {
  const std::string whole = message(text, read);
  const std::size_t start = whole.find("error: ");
  return start == std::string::npos ? whole : whole.substr(start + 7, whole.find('\n') - start - 7);
}

constexpr std::array<std::string_view, 2> kKinds = {"gated", "plain"};

}  // namespace

TEST_CASE("field reader: right values of every type") {
  CHECK(message("name: llama\nquoted: \"80\"\nlayers: 32\ntied: true\nmemory: 80 GiB\nbandwidth: "
                "2039 GB/s\n"
                "kind: gated\nshare: 0.9\nclock: 1830 MHz\npower: 700 W\nrate: 989.4 TFLOP/s\n"
                "link: 400 Gb/s\nl2: 50 MiB\naliases: [a, \"b c\", 3]\n",
                [](FieldReader& r) {
                  CHECK(r.text("name") == "llama");
                  CHECK(r.text("quoted") == "80");
                  CHECK(r.count("layers", 1, 1000) == 32);
                  CHECK(r.flag("tied"));
                  CHECK(r.bytes("memory") == bytes(85'899'345'920.0));
                  CHECK(r.bandwidth("bandwidth") == BytesPerSecond::from_value(2.039e12));
                  CHECK(r.choice("kind", kKinds) == "gated");
                  CHECK(r.optional_number("share", 0.0, 1.0) == 0.9);
                  CHECK(r.optional_clock("clock") == Hertz::from_value(1.83e9));
                  CHECK(r.optional_power("power") == Watts::from_value(700.0));
                  CHECK(r.optional_rate("rate") == FlopsPerSecond::from_value(989.4e12));
                  CHECK(r.optional_bandwidth("link") == BytesPerSecond::from_value(50e9));
                  CHECK(r.optional_bytes("l2") == bytes(52'428'800.0));
                  CHECK(r.optional_texts("aliases") == std::vector<std::string>{"a", "b c", "3"});
                }) == "ok");
}

TEST_CASE("field reader: what is optional may be absent") {
  CHECK(message("name: x\n", [](FieldReader& r) {
          r.text("name");
          CHECK_FALSE(r.optional_text("a").has_value());
          CHECK_FALSE(r.optional_count("b", 1, 2).has_value());
          CHECK(r.flag_or("c", true));
          CHECK_FALSE(r.flag_or("d", false));
          CHECK_FALSE(r.optional_number("e", 0.0, 1.0).has_value());
          CHECK_FALSE(r.optional_bytes("f").has_value());
          CHECK_FALSE(r.optional_bandwidth("g").has_value());
          CHECK_FALSE(r.optional_rate("h").has_value());
          CHECK_FALSE(r.optional_clock("i").has_value());
          CHECK_FALSE(r.optional_power("j").has_value());
          CHECK_FALSE(r.optional_choice("k", kKinds).has_value());
          CHECK(r.optional_texts("l").empty());
          CHECK_FALSE(
              r.section("m", false, [](FieldReader&) { FAIL("an absent section was read"); }));
          CHECK(r.node("n") == nullptr);
          CHECK_FALSE(r.has("n"));
        }) == "ok");
}

TEST_CASE("field reader: every problem of a file at once, in file order, with place and caret") {
  CHECK(message("name: my\n"
                "hiden_size: 4096\n"
                "layers: 032\n"
                "attention:\n"
                "  heads: 0\n"
                "  kv_heads: 5\n"
                "  kind: gatd\n"
                "memory: {capacity: 80GiB}\n",
                [](FieldReader& r) {
                  r.text("name");
                  r.count("hidden_size", 1, 1'000'000);
                  CHECK(r.count("layers", 1, 1000) == 1);  // the harmless default
                  r.section("attention", true, [](FieldReader& a) {
                    a.count("heads", 1, 1024);
                    a.count("kv_heads", 1, 1024);
                    a.problem("kv_heads", "'kv_heads' must divide 'heads' (32), got 5");
                    a.choice("kind", kKinds);
                    a.count("head_dim", 1, 1024);
                  });
                  r.section("memory", true, [](FieldReader& m) {
                    m.bytes("capacity");
                    m.bandwidth("bandwidth");
                  });
                }) ==
        "f.yaml:1:1: error: missing 'hidden_size'\n"
        "    1 | name: my\n"
        "      | ^\n"
        "f.yaml:2:1: error: unknown key 'hiden_size'; did you mean 'hidden_size'?\n"
        "    2 | hiden_size: 4096\n"
        "      | ^\n"
        "f.yaml:3:9: error: 'layers' must not start with a zero, got '032'\n"
        "    3 | layers: 032\n"
        "      |         ^\n"
        "f.yaml:5:3: error: missing 'attention.head_dim'\n"
        "    5 |   heads: 0\n"
        "      |   ^\n"
        "f.yaml:5:10: error: 'heads' must be from 1 to 1024, got 0\n"
        "    5 |   heads: 0\n"
        "      |          ^\n"
        "f.yaml:6:13: error: 'kv_heads' must divide 'heads' (32), got 5\n"
        "    6 |   kv_heads: 5\n"
        "      |             ^\n"
        "f.yaml:7:9: error: 'kind' must be one of gated, plain, got 'gatd'; did you mean 'gated'?\n"
        "    7 |   kind: gatd\n"
        "      |         ^\n"
        "f.yaml:8:9: error: missing 'memory.bandwidth'\n"
        "    8 | memory: {capacity: 80GiB}\n"
        "      |         ^\n"
        "f.yaml:8:20: error: 'capacity' needs one space between number and unit, got '80GiB'\n"
        "    8 | memory: {capacity: 80GiB}\n"
        "      |                    ^");
}

TEST_CASE("field reader: in quotes a number is text") {
  CHECK(problem("a: \"80\"", [](FieldReader& r) { r.count("a", 1, 100); }) ==
        "'a' must be a whole number without quotes");
  CHECK(problem("a: '80 GiB'", [](FieldReader& r) { r.bytes("a"); }) ==
        "'a' must be a number and its unit without quotes");
  CHECK(problem("a: 'true'", [](FieldReader& r) { r.flag("a"); }) ==
        "'a' must be true or false without quotes");
  CHECK(problem("a: '0.5'", [](FieldReader& r) { r.optional_number("a", 0.0, 1.0); }) ==
        "'a' must be a number without quotes");
}

TEST_CASE("field reader: a key without a value is a problem, optional or not, at the key") {
  CHECK(message("a:\nb: 1\n",
                [](FieldReader& r) {
                  r.optional_text("a");
                  r.text("b");
                }) ==
        "f.yaml:1:1: error: 'a' has no value\n"
        "    1 | a:\n"
        "      | ^");
  CHECK(problem("a: null", [](FieldReader& r) { r.optional_bytes("a"); }) == "'a' has no value");
  CHECK(problem("a: ''", [](FieldReader& r) { r.text("a"); }) == "'a' must not be empty");
  CHECK(problem("a:", [](FieldReader& r) { r.section("a", false, [](FieldReader&) {}); }) ==
        "'a' must be a map, not nothing");
  CHECK(problem("a:", [](FieldReader& r) { r.optional_texts("a"); }) ==
        "'a' must be a list, not nothing");
}

TEST_CASE("field reader: the wrong kind of value") {
  CHECK(problem("a: [1]", [](FieldReader& r) { r.count("a", 1, 2); }) ==
        "'a' must be a single value, not a list");
  CHECK(problem("a: {b: 1}", [](FieldReader& r) { r.text("a"); }) ==
        "'a' must be a single value, not a map");
  CHECK(problem("a: 1", [](FieldReader& r) { r.section("a", true, [](FieldReader&) {}); }) ==
        "'a' must be a map, not a single value");
  CHECK(problem("a: x", [](FieldReader& r) { r.optional_texts("a"); }) ==
        "'a' must be a list, not a single value");
  CHECK(message("a: [x, {y: 1}, '']", [](FieldReader& r) { r.optional_texts("a"); }) ==
        "f.yaml:1:8: error: every item of 'a' must be text\n"
        "    1 | a: [x, {y: 1}, '']\n"
        "      |        ^\n"
        "f.yaml:1:16: error: every item of 'a' must be text\n"
        "    1 | a: [x, {y: 1}, '']\n"
        "      |                ^");
}

TEST_CASE("field reader: numbers are strict") {
  const Read count = [](FieldReader& r) { r.count("a", 1, 100); };
  CHECK(problem("a: 0x10", count) == "'a' must be a whole number in plain digits, got '0x10'");
  CHECK(problem("a: 1e1", count) == "'a' must be a whole number in plain digits, got '1e1'");
  CHECK(problem("a: 1.0", count) == "'a' must be a whole number in plain digits, got '1.0'");
  CHECK(problem("a: -5", count) == "'a' must not be negative, got '-5'");
  CHECK(problem("a: 101", count) == "'a' must be from 1 to 100, got 101");
  CHECK(problem("a: 18446744073709551617", count) ==
        "'a' must be at most 2^53, got '18446744073709551617'");
  const Read number = [](FieldReader& r) { r.optional_number("a", 0.5, 1.0); };
  CHECK(problem("a: .nan", number) == "'a' is not a decimal number, got '.nan'");
  CHECK(problem("a: .inf", number) == "'a' is not a decimal number, got '.inf'");
  CHECK(problem("a: 0.25", number) == "'a' must be from 0.5 to 1, got 0.25");
  const Read flag = [](FieldReader& r) { r.flag("a"); };
  CHECK(problem("a: yes", flag) == "'a' must be true or false, got 'yes'");
  CHECK(problem("a: True", flag) == "'a' must be true or false, got 'True'");
  CHECK(problem("a: 1", flag) == "'a' must be true or false, got '1'");
}

TEST_CASE("field reader: quantities must be positive and within what can be built") {
  CHECK(problem("a: 0 GB", [](FieldReader& r) { r.bytes("a"); }) ==
        "'a' must be from 1 B to 9.01 PB, got '0 GB'");
  CHECK(problem("a: 10 PB", [](FieldReader& r) { r.bytes("a"); }) ==
        "'a' must be from 1 B to 9.01 PB, got '10 PB'");
  CHECK(problem("a: 0 GB/s", [](FieldReader& r) { r.bandwidth("a"); }) ==
        "'a' must be from 1.00 kB/s to 1.00 EB/s, got '0 GB/s'");
  CHECK(problem("a: 1e300 TFLOP/s", [](FieldReader& r) { r.optional_rate("a"); }) ==
        "'a' is out of range, got '1e300 TFLOP/s'");
  CHECK(problem("a: 1e30 TFLOP/s", [](FieldReader& r) { r.optional_rate("a"); }) ==
        "'a' must be from 1.00 kFLOP/s to 1000 EFLOP/s, got '1e30 TFLOP/s'");
  CHECK(problem("a: 1e-200 Hz", [](FieldReader& r) { r.optional_clock("a"); }) ==
        "'a' must be from 1.00 kHz to 1000 GHz, got '1e-200 Hz'");
  CHECK(problem("a: 0 W", [](FieldReader& r) { r.optional_power("a"); }) ==
        "'a' must be from 1.00 mW to 1000 MW, got '0 W'");
}

TEST_CASE("field reader: a long list of choices is shown only when none is near") {
  const std::vector<std::string_view> many = {"f64",   "f32",   "tf32", "f16", "bf16",
                                              "e4m3",  "e5m2",  "fp6",  "fp4", "mxfp8",
                                              "mxfp6", "mxfp4", "nvfp4"};
  CHECK(problem("a: mxfp7", [&](FieldReader& r) { r.choice("a", many); }) ==
        "'a' has no choice 'mxfp7'; did you mean 'mxfp8', 'mxfp6' or 'mxfp4'?");
  CHECK(problem("a: seven", [&](FieldReader& r) { r.choice("a", many); }) ==
        "'a' must be one of f64, f32, tf32, f16, bf16, e4m3, e5m2, fp6, fp4, mxfp8, mxfp6, mxfp4, "
        "nvfp4, got "
        "'seven'");
}

TEST_CASE("field reader: keys read twice and keys looked at are known, sections report their own") {
  CHECK(message("a: 1\nb: {c: 2, d: 3}\n",
                [](FieldReader& r) {
                  r.text("a");
                  r.optional_count("a", 1, 2);
                  r.section("b", true, [](FieldReader& b) {
                    CHECK(b.node("c") != nullptr);
                    CHECK(b.has("d"));  // asking whether it is there does not make it known
                    CHECK(b.dotted("c") == "b.c");
                  });
                }) ==
        "f.yaml:2:11: error: unknown key 'd'\n"
        "    2 | b: {c: 2, d: 3}\n"
        "      |           ^");
}

TEST_CASE("field reader: what a file says is shown without what a terminal would obey") {
  CHECK(problem("a: \"x\\ny\"", [](FieldReader& r) { r.choice("a", kKinds); }) ==
        "'a' must be one of gated, plain, got 'x\uFFFDy'");
  CHECK(problem(std::string(500, 'k') + ": 1", [](FieldReader&) {}) ==
        "unknown key '" + std::string(60, 'k') + "...'");
}

TEST_CASE("field reader: a message that quotes the file is fit to print") {
  CHECK(problem("a: \"x\\ny\"", [](FieldReader& r) { r.problem("a", "'a' is " + r.text("a")); }) ==
        "'a' is x\uFFFDy");
  CHECK(problem("a: 1", [](FieldReader& r) {
          r.problem("a", r.text("a") + std::string(2000, 'x'));
        }) == "1" + std::string(999, 'x') + "...");
}

TEST_CASE("field reader: no problem, no exception") {
  const Document document = parse_document("f.yaml", "a: 1\n");
  ProblemList problems(document);
  CHECK(problems.empty());
  CHECK_NOTHROW(problems.finish());
}
