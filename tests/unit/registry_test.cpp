#include "roofcast/base/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using roofcast::Registry;

namespace {
struct Entry {
  int value = 0;
};
}  // namespace

TEST_CASE("registry: names come out sorted, whatever the order of registration") {
  Registry<Entry> registry;
  CHECK(registry.add("mistral", {3}));
  CHECK(registry.add("falcon", {1}));
  CHECK(registry.add("gpt2", {2}));
  CHECK(registry.names() == std::vector<std::string_view>{"falcon", "gpt2", "mistral"});
  REQUIRE(registry.find("gpt2") != nullptr);
  CHECK(registry.find("gpt2")->value == 2);
  CHECK(registry.entries().size() == 3);
}

TEST_CASE("registry: an unknown name is not found, nor is a part of one") {
  Registry<Entry> registry;
  registry.add("gpt2", {2});
  CHECK(registry.find("gpt") == nullptr);
  CHECK(registry.find("GPT2") == nullptr);
  CHECK(registry.find("") == nullptr);
}

TEST_CASE("registry: a name given twice keeps the first and is recorded") {
  Registry<Entry> registry;
  CHECK(registry.add("gpt2", {1}));
  CHECK_FALSE(registry.add("gpt2", {2}));
  CHECK(registry.find("gpt2")->value == 1);
  CHECK(registry.duplicates() == std::vector<std::string>{"gpt2"});
  CHECK(registry.entries().size() == 1);
}

TEST_CASE("registry: there is one instance of each kind") {
  CHECK(&Registry<Entry>::instance() == &Registry<Entry>::instance());
}
