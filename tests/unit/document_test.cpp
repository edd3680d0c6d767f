#include "roofcast/input/document.hpp"

#include "roofcast/base/error.hpp"

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace roofcast;

// What is refused, and with which words, is in tests/data/bad_documents/.

namespace {

Document parse(const std::string& text) {
  return parse_document("f.yaml", text);
}

std::string message(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool is_at(SourcePosition at, int line, int column) {
  return at.line == line && at.column == column;
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes)
      : path_((std::filesystem::temp_directory_path() /
               ("roofcast_document_" + std::to_string(::getpid()) + ".yaml"))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("document: maps, lists and scalars become a tree in file order") {
  const Document document = parse("b: 1\na: {x: [p, q], y: r}\nl:\n- s\n- t: u\n");
  const Node& root = document.root;
  CHECK(root.kind == Node::Kind::map);
  REQUIRE(root.entries.size() == 3);
  CHECK(root.entries[0].key == "b");
  CHECK(root.entries[1].key == "a");
  const Node* a = root.find("a");
  REQUIRE(a != nullptr);
  REQUIRE(a->find("x") != nullptr);
  REQUIRE(a->find("x")->items.size() == 2);
  CHECK(a->find("x")->items[1]->scalar == "q");
  CHECK(a->find("y")->scalar == "r");
  CHECK(a->find("z") == nullptr);
  REQUIRE(root.find("l") != nullptr);
  REQUIRE(root.find("l")->items.size() == 2);
  CHECK(root.find("l")->items[1]->find("t")->scalar == "u");
  CHECK(document.file == "f.yaml");
}

TEST_CASE("document: scalars stay text as written") {
  const Document document =
      parse("a: 010\nb: 0x10\nc: yes\nd: 1_000\ne: .nan\nf: 80 GiB\ng: 1e3\n");
  CHECK(document.root.find("a")->scalar == "010");
  CHECK(document.root.find("b")->scalar == "0x10");
  CHECK(document.root.find("c")->scalar == "yes");
  CHECK(document.root.find("d")->scalar == "1_000");
  CHECK(document.root.find("e")->scalar == ".nan");
  CHECK(document.root.find("f")->scalar == "80 GiB");
  CHECK(document.root.find("g")->scalar == "1e3");
}

TEST_CASE("document: quotes and blocks are remembered, because they make text of a number") {
  const Document document =
      parse("a: 80\nb: '80'\nc: \"80\"\nd: |\n  80\ne: >-\n  80\nf: it's\ng: 'it''s'\n");
  CHECK_FALSE(document.root.find("a")->quoted);
  CHECK(document.root.find("b")->quoted);
  CHECK(document.root.find("b")->scalar == "80");
  CHECK(document.root.find("c")->quoted);
  CHECK(document.root.find("d")->quoted);
  CHECK(document.root.find("d")->scalar == "80\n");
  CHECK(document.root.find("e")->quoted);
  CHECK(document.root.find("e")->scalar == "80");
  CHECK_FALSE(document.root.find("f")->quoted);
  CHECK(document.root.find("g")->scalar == "it's");
}

TEST_CASE("document: an empty value is null, an empty string is not") {
  const Document document = parse("a:\nb: ~\nc: null\nd: ''\ne: nullable\n");
  CHECK(document.root.find("a")->kind == Node::Kind::null);
  CHECK(document.root.find("b")->kind == Node::Kind::null);
  CHECK(document.root.find("c")->kind == Node::Kind::null);
  CHECK(document.root.find("d")->kind == Node::Kind::scalar);
  CHECK(document.root.find("d")->scalar.empty());
  CHECK(document.root.find("e")->scalar == "nullable");
}

TEST_CASE("document: positions are those of an editor") {
  const Document document = parse("# c\nname: x\nmap:\n  k: v\n  l: [1, 2]\n");
  CHECK(is_at(document.root.at, 2, 1));
  CHECK(is_at(document.root.find("name")->at, 2, 7));
  CHECK(is_at(document.root.entries[1].key_at, 3, 1));
  CHECK(is_at(document.root.find("map")->at, 4, 3));
  CHECK(is_at(document.root.find("map")->find("l")->at, 5, 6));
  CHECK(is_at(document.root.find("map")->find("l")->items[1]->at, 5, 10));
}

// yaml-cpp marks an empty value at the token after it, which may be lines away.
TEST_CASE("document: an empty value stands where its key does, an empty item where its list does") {
  const Document document = parse("a:\n\n# c\nb: 1\nc: {d: , e: 2}\nl:\n- 1\n-\n- ~\n- 2\n");
  CHECK(is_at(document.root.find("a")->at, 1, 1));
  CHECK(is_at(document.root.find("c")->find("d")->at, 5, 5));
  const Node& list = *document.root.find("l");
  REQUIRE(list.items.size() == 4);
  CHECK(list.items[1]->kind == Node::Kind::null);
  CHECK(is_at(list.items[1]->at, 7, 1));
  CHECK(is_at(list.items[2]->at, 9, 3));
}

// The columns of yaml-cpp are bytes: after the four characters of "é€😀:" the value is its sixth
// character and its twelfth byte.
TEST_CASE("document: columns count characters") {
  const Document document = parse("é€😀: x\n");
  CHECK(is_at(document.root.find("é€😀")->at, 1, 6));
  // Across the 256 bytes after which columns are counted anew: 300 two-byte characters, then "\":
  // ".
  std::string key;
  for (int i = 0; i < 300; ++i)
    key += "é";
  CHECK(is_at(parse("\"" + key + "\": x\n").root.find(key)->at, 1, 305));
}

TEST_CASE("document: line ends of Windows and a byte order mark change nothing") {
  const Document document = parse(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: x\r\n");
  CHECK(document.root.find("a")->scalar == "1");
  CHECK(is_at(document.root.find("a")->at, 1, 4));
  CHECK(document.root.find("b")->scalar == "x");
  CHECK(is_at(document.root.find("b")->at, 2, 4));
}

TEST_CASE("document: markers of the one document, comments and tabs between words are accepted") {
  CHECK(parse("---\na: 1\n...\n").root.find("a")->scalar == "1");
  CHECK(parse("a:\t1\t# c\n").root.find("a")->scalar == "1");
  CHECK(parse("a: 1\n  \n # c\nb: 2").root.find("b")->scalar == "2");
  CHECK(parse("a: \"x\\ty\\nz\"\n").root.find("a")->scalar == "x\ty\nz");
  CHECK(parse("\"*\": ds\n").root.find("*")->scalar == "ds");
}

// The root is level 1, so 31 lists fit below it.
TEST_CASE("document: 32 levels are accepted, 33 are not") {
  const auto nested = [](std::size_t lists) {
    return "a: " + std::string(lists, '[') + std::string(lists, ']') + "\n";
  };
  CHECK(message(nested(31)) == "accepted");
  CHECK(first_line(message(nested(32))) == "f.yaml:1:35: error: nested deeper than 32 levels");
  CHECK(first_line(message(std::string(500'000, '['))) ==
        "f.yaml:1:17: error: nested deeper than 32 levels");
}

// A list of n items is n + 2 values with the list itself and the root.
TEST_CASE("document: 20,000 values are accepted, 20,001 are not") {
  const auto list = [](int items) {
    std::string text = "a:\n";
    for (int i = 0; i < items; ++i)
      text += "- 1\n";
    return text;
  };
  CHECK(message(list(19'998)) == "accepted");
  CHECK(first_line(message(list(19'999))) ==
        "f.yaml:20000:3: error: more than 20000 values in one file");
}

TEST_CASE("document: a mebibyte is accepted, a byte more is not") {
  const std::string head = "a: 1\n#";
  CHECK(message(head + std::string(1'048'576 - head.size(), 'x')) == "accepted");
  CHECK(message(head + std::string(1'048'577 - head.size(), 'x')) ==
        "f.yaml: error: is larger than 1048576 bytes");
}

TEST_CASE("document: at most 50 problems are shown") {
  std::string text = "a: 1\n";
  for (int i = 0; i < 60; ++i)
    text += "a: 1\n";
  const std::string shown = message(text);
  CHECK(shown.find("f.yaml:51:1: error") != std::string::npos);
  CHECK(shown.find("f.yaml:52:1: error") == std::string::npos);
  CHECK(shown.ends_with("\nf.yaml: 10 more problems"));
  try {
    parse(text);
  } catch (const InputError& error) {
    CHECK(error.problems().size() == 60);
    CHECK(error.problems().front().at.line == 2);
    CHECK(error.problems().front().message == "duplicate key 'a' (first at line 1)");
  }
}

// Each of these is a mebibyte on one line; what is quadratic in it takes minutes.
TEST_CASE("document: hostile files of full size are refused or read within seconds") {
  const std::size_t size = 1'000'000;
  const auto repeated = [&](const std::string& head, const std::string& part) {
    std::string text = head;
    while (text.size() < size)
      text += part;
    return text;
  };
  const auto start = std::chrono::steady_clock::now();
  message(repeated("a: [", "x,"));
  message(repeated("a: [", "'x',") + "]");
  message(repeated("a: {", "b: ,"));
  message(repeated("{a: [", "\"\", "));
  message(repeated("a: ", "a: "));
  message(repeated("", "- "));
  message(repeated("", "? "));
  message(repeated("a: ", "&x "));
  message(repeated("", "a: *x\n"));
  message(repeated("", "a:\n"));
  message(repeated("a: \"", "\\u00e9"));
  message(repeated("a: '", "''"));
  message(repeated("a: |\n", " x\n"));
  message(repeated("", "\xFF"));
  message(repeated("", "#"));
  message(repeated("a: ", "é"));
  message(std::string(size, 'k') + ": 1\n" + std::string(size / 32, 'l') + ": 2\n");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  CHECK(taken.count() < 60.0);
}

TEST_CASE("document: files are read from disk under the name they were given") {
  const TemporaryFile file("a: 1\nb: 2\n");
  const Document document = read_document(file.path());
  CHECK(document.file == file.path());
  CHECK(document.text == "a: 1\nb: 2\n");
  CHECK(document.root.find("b")->scalar == "2");
  CHECK(read_file(file.path(), 10) == "a: 1\nb: 2\n");
}

TEST_CASE("document: a pipe without a writer is refused, not waited for") {
  const TemporaryFile file("");
  const std::string pipe = file.path() + ".pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(read_document(pipe), InputError);
  ::unlink(pipe.c_str());
}

// What process substitution names: /dev/fd/63.
TEST_CASE("document: a pipe that the shell hands over is read") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  REQUIRE(::write(ends[1], "a: 1\n", 5) == 5);
  ::close(ends[1]);
  CHECK(read_document("/dev/fd/" + std::to_string(ends[0])).root.find("a")->scalar == "1");
  ::close(ends[0]);
}

TEST_CASE("document: what cannot be read says why") {
  const auto reading = [](const std::string& path, std::size_t limit) -> std::string {
    try {
      read_file(path, limit);
    } catch (const InputError& error) {
      CHECK(error.problems().size() == 1);
      return error.what();
    }
    return "read";
  };
  CHECK(reading("no/such/file.yaml", 10) ==
        "no/such/file.yaml: error: cannot be read: No such file or directory");
  CHECK(reading("/", 10) == "/: error: is a folder, not a file");
  const TemporaryFile file("0123456789");
  CHECK(reading(file.path(), 10) == "read");
  CHECK(reading(file.path(), 9) == file.path() + ": error: is larger than 9 bytes");
  CHECK(reading("/dev/zero", 1000) ==
        "/dev/zero: error: is a pipe, a socket or a device, not a file; copy it to a file first");
  CHECK_THROWS_AS(read_document("/"), InputError);
}
