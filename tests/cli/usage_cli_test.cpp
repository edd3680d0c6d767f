// What the command line does with what it cannot answer: exit status, message, and nothing on
// stdout.
#include "roofcast/cli/command.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/run_cli.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

namespace fs = std::filesystem;
using test::CliResult;
using test::run_cli;
using test::split_words;

struct Refused {
  const char* line;
  int code;
  const char* message;  ///< part of it
};

void check(const Refused& refused) {
  INFO(std::string(refused.line));
  const CliResult result = run_cli(split_words(refused.line));
  INFO(result.err);
  CHECK(result.code == refused.code);
  CHECK(result.out.empty());
  CHECK(result.err.starts_with("roofcast: "));
  CHECK(result.err.find(refused.message) != std::string::npos);
  CHECK(result.err.back() == '\n');
}

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name) : path_(fs::temp_directory_path() / name) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A stream whose reader has gone, or whose disk is full.
class FailingBuffer final : public std::streambuf {
 public:
  explicit FailingBuffer(int reason) : reason_(reason) {}

 protected:
  int overflow(int) override {
    errno = reason_;
    return traits_type::eof();
  }

 private:
  int reason_;
};

}  // namespace

TEST_CASE("usage: unknown names give the nearest ones and exit status 2") {
  for (const Refused& refused : {
           Refused{"estmate llama-2-7b", 2, "unknown command 'estmate'; did you mean 'estimate'?"},
           Refused{"frobnicate", 2, "unknown command 'frobnicate'"},
           Refused{"estimate lama-2-7b --gpu h100", 2, "'llama-2-7b'"},
           Refused{"estimate llama-2-7b --gpu h1000", 2, "did you mean"},
           Refused{"estimate llama-2-7b --gpu h100 --batc 4", 2,
                   "unknown option '--batc'; did you mean '--batch'?"},
           Refused{"estimate llama-2-7b --gpu h100 -x", 2, "unknown option '-x'"},
           Refused{"estimate llama-2-7b --gpu h100 --weights fp17", 2, "fp16"},
           Refused{"estimate llama-2-7b --gpu h100 --runtime vlm", 2, "vllm"},
           Refused{"estimate llama-2-7b --gpu h100 --level specs", 2, "spec"},
           Refused{"estimate llama-2-7b --gpu h100 --format jsn", 2, "csv, json, md, table"},
           Refused{"models llama-2-7c", 2, "llama-2-7b"},
           Refused{"hardware h1000", 2, "h100"},
           Refused{"precisions fp17", 2, "fp16"},
           Refused{"explain tpott llama-2-7b --gpu h100", 2, "tpot"},
           Refused{"completion tcsh", 2, "bash, zsh and fish"},
       }) {
    check(refused);
  }
}

TEST_CASE("usage: what is missing, twice or too much is said") {
  for (const Refused& refused : {
           Refused{"", 2, "a command is missing"},
           Refused{"--format json estimate", 2, "'--format' comes before the command"},
           Refused{"estimate", 2, "MODEL is missing"},
           Refused{"estimate ''  --gpu h100", 2, "MODEL is missing"},
           Refused{"estimate llama-2-7b", 2, "--gpu GPU is missing"},
           Refused{"estimate llama-2-7b --gpu", 2, "--gpu needs a value"},
           Refused{"estimate llama-2-7b --gpu --batch 4", 2, "--gpu needs a value"},
           Refused{"estimate llama-2-7b --gpu=", 2, "--gpu needs a value"},
           Refused{"estimate llama-2-7b --gpu ''", 2, "--gpu needs a value"},
           Refused{"estimate llama-2-7b --gpu h100 --gpu a100", 2, "--gpu is given twice"},
           Refused{"estimate llama-2-7b extra --gpu h100", 2, "unexpected argument 'extra'"},
           Refused{"estimate llama-2-7b --gpu h100 --ops=no", 2, "--ops takes no value"},
           Refused{"memory llama-2-7b --must-fit", 2, "--must-fit needs a device"},
           Refused{"hardware --sources", 2, "--sources needs"},
           Refused{"check", 2, "FILE is missing"},
       }) {
    check(refused);
  }
}

TEST_CASE("usage: several devices and parallel layouts are refused, not guessed") {
  for (const Refused& refused : {
           Refused{"estimate llama-2-7b --gpu h100x8", 2,
                   "parallel layouts are not part of this version"},
           Refused{"estimate llama-2-7b --gpu h100 --tp 8", 2,
                   "parallel layouts are not part of this version"},
           Refused{"memory llama-2-7b --gpu h100x0", 2, "--gpu"},
           Refused{"estimate llama-2-7b --gpu rtx99990", 2, "unknown device"},
       }) {
    check(refused);
  }
}

TEST_CASE("usage: hostile values name their option and what is allowed") {
  const std::string base = "estimate llama-2-7b --gpu h100 ";
  for (const std::string option : {"--batch", "--prompt", "--output", "--kv-block"}) {
    for (const std::string value :
         {"0", "-1", "-9223372036854775809", "nan", "inf", "1e3", "010", "0x10", "1.5", "+4",
          "' 4'", "4k", "1000000000000000000", "18446744073709551617",
          "1000000000000000000000000000000", "1,000", "{}", "[]"}) {
      check({(base + option + " " + value).c_str(), 2, (option + ": ").c_str()});
      check({(base + option + "=" + value).c_str(), 2, "give a whole number from 1 to "});
    }
  }
  for (const std::string value :
       {"0", "1e-320", "0.0099", "-0.5", "1.1", "nan", "inf", "1e400", "0,9", "90%", "0x1"}) {
    check({(base + "--memory-fraction " + value).c_str(), 2, "--memory-fraction: "});
  }
  check({(base + "--width 5").c_str(), 2, "--width: 5 is out of range"});
  check({(base + "--color mauve").c_str(), 2, "--color: 'mauve'"});
  check({(base + "--prompt 1073741824 --output 1073741824").c_str(), 2, "--prompt"});
  check({"memory llama-2-7b --context 1000000000000000000", 2, "--context: "});
}

TEST_CASE("usage: messages hold no control characters and stay short, whatever was typed") {
  const std::string escape = "\x1b[31mred";
  const std::string lengthy(100'000, 'x');
  for (const std::string& typed : {escape, lengthy}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{typed},
          {"estimate", typed, "--gpu", "h100"},
          {"models", typed},
          {"estimate", "llama-2-7b", "--gpu", typed},
          {"estimate", "llama-2-7b", "--" + typed},
          {"estimate", "llama-2-7b", "--gpu", "h100", "--batch", typed},
          {"estimate", "llama-2-7b", "--gpu", "h100", "--weights", typed},
          {"estimate", "llama-2-7b", "--gpu", "h100", "--runtime", typed},
          {"estimate", "llama-2-7b", "--gpu", "h100", "--level", typed},
          {"explain", typed, "llama-2-7b", "--gpu", "h100"},
          {"precisions", "--format", typed},
          {"precisions", "fp16", typed},
          {"precisions", "--out", "/no/such/folder/" + typed}}) {
      const CliResult result = run_cli(arguments);
      CHECK(result.code == 2);
      CHECK(result.err.find('\x1b') == std::string::npos);
      CHECK(result.err.size() < 1000);
    }
  }
}

TEST_CASE("usage: values that are legal at their limits are answered or refused, never wrong") {
  // 2^24 sequences of 2^29 tokens: more bytes than a double counts exactly.
  const CliResult result = run_cli(
      split_words("estimate llama-2-7b --gpu h100 --batch 16777216 --prompt 536870912 --output 1"));
  CHECK((result.code == 0 || result.code == 2));
  CHECK((result.code == 0) == result.err.empty());
}

TEST_CASE("usage: malformed files give every problem and exit status 3") {
  const TemporaryFolder folder("roofcast_usage_test");
  const std::string card = folder.file("card.yaml");
  std::ofstream(card)
      << "schema: roofcast/model/1\nname: x\nfamily: llama\nhiden: 4096\nlayers: 010\n";
  for (const std::string& line :
       {"estimate " + card + " --gpu h100", "memory " + card, "models " + card, "check " + card}) {
    const CliResult result = run_cli(split_words(line));
    INFO(result.err);
    CHECK(result.code == 3);
    CHECK(result.out.empty());
    CHECK(result.err.find("roofcast: " + card + ":4:1: error: unknown key 'hiden'") !=
          std::string::npos);
    CHECK(result.err.find(card + ":5:9: error: ") != std::string::npos);
  }
  CHECK(run_cli({"check", folder.file("missing.yaml")}).code == 3);
  std::ofstream(folder.file("other.yaml")) << "schema: something/else/1\n";
  // Two files: the problems of both.
  const CliResult both = run_cli({"check", card, folder.file("other.yaml")});
  CHECK(both.code == 3);
  CHECK(both.err.find("hiden") != std::string::npos);
  CHECK(both.err.find("'schema' must be") != std::string::npos);
}

TEST_CASE("usage: -o writes the whole answer or leaves everything as it was") {
  const TemporaryFolder folder("roofcast_output_test");
  const std::string file = folder.file("answer.json");
  const std::string line = "precisions fp16 --format json";
  const CliResult direct = run_cli(split_words(line));
  const CliResult written = run_cli(split_words(line + " -o " + file));
  CHECK(written.code == 0);
  CHECK(written.out.empty());
  CHECK(contents(file) == direct.out);
  CHECK(folder.entries() == 1);
  // A failure after the file was opened: its old contents stay, and nothing else is left beside it.
  CHECK(run_cli(split_words("estimate nonsense --gpu h100 --out " + file)).code == 2);
  CHECK(contents(file) == direct.out);
  CHECK(folder.entries() == 1);
  // A link stays a link; the file that it points to is replaced.
  fs::create_symlink(file, folder.file("link"));
  CHECK(run_cli(split_words("precisions bf16 --format json -o " + folder.file("link"))).code == 0);
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(contents(file).find("bf16") != std::string::npos);
}

TEST_CASE("usage: -o into a missing folder, or onto a folder, is exit status 2") {
  const TemporaryFolder folder("roofcast_missing_test");
  check({("precisions -o " + folder.file("no/such/file")).c_str(), 2, "cannot write"});
  check({("precisions -o " + folder.file("")).c_str(), 2, "cannot write"});
  CHECK(folder.entries() == 0);
}

TEST_CASE("usage: -o onto a file that may not be written is exit status 2") {
  const TemporaryFolder folder("roofcast_readonly_test");
  const std::string file = folder.file("answer");
  std::ofstream(file) << "mine";
  fs::permissions(file, fs::perms::owner_read);
  if (std::ofstream(file, std::ios::app))
    return;  // root may write anything
  check({("precisions -o " + file).c_str(), 2, "cannot write"});
  CHECK(contents(file) == "mine");
}

TEST_CASE("usage: -o onto a device writes to it and does not replace it") {
  CHECK(run_cli({"precisions", "-o", "/dev/null"}).code == 0);
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("usage: a reader that went away is no error, a full disk is") {
  std::ostringstream err;
  FailingBuffer closed(EPIPE);
  std::ostream pipe(&closed);
  CHECK(run({"precisions"}, pipe, err, {}) == 0);
  CHECK(err.str().empty());
  FailingBuffer full(ENOSPC);
  std::ostream disk(&full);
  CHECK(run({"precisions"}, disk, err, {}) == 2);
  CHECK(err.str().find("could not be written: No space left on device") != std::string::npos);
}

TEST_CASE("usage: help and version answer on stdout") {
  for (const char* line : {"--help", "-h", "help"}) {
    const CliResult help = run_cli({line});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    for (const char* command :
         {"estimate", "memory", "models", "hardware", "precisions", "explain", "check"}) {
      CHECK(help.out.find(command) != std::string::npos);
    }
  }
  CHECK(run_cli({"--version"}).out.starts_with("roofcast "));
  CHECK(run_cli({"help", "estimate"}).out == run_cli({"estimate", "--help"}).out);
  // Help is answered whatever else stands on the line.
  CHECK(run_cli({"estimate", "--batch", "-h"}).code == 0);
}

TEST_CASE("usage: every command has help with a usage line and an example that runs") {
  const fs::path before = fs::current_path();
  fs::current_path(ROOFCAST_SOURCE_DIR);  // examples name cards of the sources
  for (const auto& named : Commands::instance().entries()) {
    const std::string& command = named.first;
    const auto& entry = named.second;
    INFO(command);
    const CliResult help = run_cli({command, "--help"});
    CHECK(help.code == 0);
    CHECK(help.out.find("Usage: roofcast " + command) != std::string::npos);
    CHECK(help.out.find("\nExample:\n  " + std::string(entry.example.substr(0, 20))) !=
          std::string::npos);
    std::istringstream lines(help.out);
    for (std::string each; std::getline(lines, each);) {
      INFO(each);
      CHECK(each.size() <= 80);
    }
    std::vector<std::string> words = split_words(std::string(entry.example));
    if (words.front() != "roofcast")
      continue;  // "source <(...)" is for the shell
    words.erase(words.begin());
    CHECK(run_cli(words).code == 0);
  }
  fs::current_path(before);
}

TEST_CASE("usage: exactly these commands are registered") {
  // A registrar that the linker dropped would vanish without a word.
  const std::vector<std::string_view> want = {"check",      "compare",  "completion", "estimate",
                                              "explain",    "hardware", "memory",     "models",
                                              "precisions", "sweep",    "whatif"};
  CHECK(Commands::instance().names() == want);
  CHECK(Commands::instance().duplicates().empty());
}

TEST_CASE("usage: colour on a terminal alone, and as asked") {
  const auto coloured = [](const std::vector<std::string>& arguments,
                           const Environment& environment) {
    return run_cli(arguments, environment).out.find('\x1b') != std::string::npos;
  };
  Environment terminal;
  terminal.stdout_is_terminal = true;
  terminal.columns = 100;
  Environment plain = terminal;
  plain.no_color = true;
  CHECK_FALSE(coloured({"precisions"}, {}));
  CHECK(coloured({"precisions"}, terminal));
  CHECK_FALSE(coloured({"precisions"}, plain));
  CHECK(coloured({"precisions", "--color", "always"}, plain));
  CHECK(coloured({"precisions", "--color=always"}, {}));
  CHECK_FALSE(coloured({"precisions", "--color", "never"}, terminal));
  CHECK_FALSE(coloured({"precisions", "--format", "json"}, terminal));
}

TEST_CASE("usage: completion offers commands, options, models and devices") {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const CliResult script = run_cli({"completion", shell});
    CHECK(script.code == 0);
    for (const char* word : {"estimate", "whatif", "batch", "llama-2-7b", "nvidia-h100-sxm5-80gb",
                             "int4_g128", "vllm"}) {
      INFO(std::string(shell) << " " << std::string(word));
      CHECK(script.out.find(word) != std::string::npos);
    }
  }
}

TEST_CASE("usage: the completion works in bash") {
  const TemporaryFolder folder("roofcast_completion_test");
  const auto offered = [&](const std::string& words) {
    // The words of a command line up to the one being completed, as bash would hand them over.
    std::ofstream(folder.file("script"))
        << run_cli({"completion", "bash"}).out << "COMP_WORDS=(" << words
        << ")\nCOMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))\n_roofcast\n"
        << "printf '%s ' \"${COMPREPLY[@]}\"\n";
    const std::string command = "bash " + folder.file("script") + " > " + folder.file("out");
    REQUIRE(std::system(command.c_str()) == 0);
    return contents(folder.file("out"));
  };
  CHECK(offered("roofcast est") == "estimate ");
  CHECK(offered("roofcast estimate llama-2-13b-c") == "llama-2-13b-chat ");
  CHECK(offered("roofcast estimate llama-2-7b --gpu nvidia-h100-sxm") == "nvidia-h100-sxm5-80gb ");
  CHECK(offered("roofcast estimate llama-2-7b --memory-f") == "--memory-fraction ");
  CHECK(offered("roofcast estimate llama-2-7b --format ''") == "csv json md table ");
  CHECK(offered("roofcast estimate llama-2-7b --weights int4_g128_") == "int4_g128_zp ");
  CHECK(offered("roofcast help pre") == "precisions ");
  CHECK(offered("roofcast estimate llama-2-7b --batch ''") == " ");
}

}  // namespace roofcast
