#pragma once

#include "roofcast/base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

/// A corpus of malformed files: each x.yaml has the complete message that it must give beside it,
/// in x.err. The text of a message is part of the contract, so whole texts are compared.
///
///   TEST_CASE("bad cards: every problem of every file") {
///     roofcast::test::check_bad_files("bad_cards", 30, [](std::string name, std::string text) {
///       read_model_card(parse_document(std::move(name), std::move(text)));
///     });
///   }
///
/// ROOFCAST_BLESS=1 writes the .err files; look at the difference before committing it.
namespace roofcast::test {

/// Reads one file given its name (without its folder, so that messages are the same everywhere) and
/// its bytes, and throws InputError.
using BadFileReader = std::function<void(std::string name, std::string text)>;

struct BadFiles {
  std::size_t count = 0;              ///< files read
  std::vector<std::string> failures;  ///< what is wrong with them, one text each
};

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The message that reading `path` gives; empty, with a failure added, when there is none.
inline std::string message_of(const std::filesystem::path& path, const BadFileReader& read,
                              std::vector<std::string>& failures) {
  const std::string name = path.filename().string();
  try {
    read(name, file_bytes(path));
    failures.push_back(name + " was accepted");
  } catch (const InputError& error) {
    return std::string(error.what()) + '\n';
  } catch (const std::exception& error) {
    failures.push_back(name + " ended in something other than InputError: " + error.what());
  }
  return {};
}

/// Compares the message of one file with its .err, or writes that when `bless`.
inline void compare_bad_file(const std::filesystem::path& path, const BadFileReader& read,
                             bool bless, BadFiles& result) {
  const std::string message = message_of(path, read, result.failures);
  if (message.empty())
    return;
  const std::filesystem::path expected_path = std::filesystem::path(path).replace_extension(".err");
  if (bless) {
    std::ofstream(expected_path, std::ios::binary) << message;
  } else if (!std::filesystem::exists(expected_path)) {
    result.failures.push_back(path.filename().string() +
                              " has no .err beside it; ROOFCAST_BLESS=1 writes this one:\n" +
                              message);
  } else if (const std::string expected = file_bytes(expected_path); expected != message) {
    result.failures.push_back(path.filename().string() + " gives\n" + message +
                              "and should give\n" + expected);
  }
}

/// Runs `read` over every .yaml of `folder`, and finds each .err that has lost its file.
inline BadFiles run_bad_files(const std::filesystem::path& folder, const BadFileReader& read,
                              bool bless) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  BadFiles result;
  for (const std::filesystem::path& path : paths) {
    if (path.extension() == ".yaml") {
      ++result.count;
      compare_bad_file(path, read, bless, result);
    } else if (path.extension() == ".err" &&
               !std::filesystem::exists(std::filesystem::path(path).replace_extension(".yaml"))) {
      result.failures.push_back(path.filename().string() + " has lost its .yaml");
    }
  }
  return result;
}

/// Checks the corpus tests/data/`folder`, which holds at least `at_least` files.
inline void check_bad_files(const std::string& folder, std::size_t at_least,
                            const BadFileReader& read) {
  const auto path = std::filesystem::path(ROOFCAST_SOURCE_DIR) / "tests" / "data" / folder;
  REQUIRE(std::filesystem::is_directory(path));
  const BadFiles result = run_bad_files(path, read, std::getenv("ROOFCAST_BLESS") != nullptr);
  for (const std::string& failure : result.failures)
    FAIL_CHECK(failure);
  CHECK(result.count >= at_least);
}

}  // namespace roofcast::test
