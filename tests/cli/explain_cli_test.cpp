// What `estimate` prints in JSON, `explain` explains, with the same number.
#include <cmath>
#include <set>
#include <string>

#include "support/run_cli.hpp"
#include <doctest/doctest.h>

using nlohmann::json;

namespace {

/// What was asked, and facts of card and profile: nothing is calculated there.
const std::set<std::string> kAsked = {"model.layers",
                                      "model.context",
                                      "hardware.count",
                                      "kv_block",
                                      "memory_fraction",
                                      "workload.batch",
                                      "workload.prompt_tokens",
                                      "workload.output_tokens",
                                      "workload.context_tokens",
                                      "layout.tp",
                                      "layout.pp",
                                      "layout.ep",
                                      "layout.dp"};

void check_numbers(const json& answer, const std::string& path, const std::string& question) {
  for (const auto& [key, value] : answer.items()) {
    const std::string name = path.empty() ? key : path + "." + key;
    if (value.is_object())
      check_numbers(value, name, question);
    if (!value.is_number() || kAsked.count(name) == 1)
      continue;
    CAPTURE(name);
    const json explained = roofcast::test::run_json("explain " + name + " " + question);
    CHECK(explained["quantity"] == name);
    CHECK(explained["value"].get<double>() == value.get<double>());
  }
}

}  // namespace

TEST_CASE("explain: every number of estimate, and the same one") {
  const std::string question =
      "llama-3.1-8b --gpu h100 --batch 8 --prompt 1000 --output 100 --weights int4_g128";
  check_numbers(roofcast::test::run_json("estimate " + question), "", question);
}
