#include "roofcast/predict/invariants.hpp"

#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/model/architecture.hpp"

#include <algorithm>
#include <string>

#include "support/cards.hpp"
#include <doctest/doctest.h>

namespace roofcast {
namespace {

const InvariantResult& find(const std::vector<InvariantResult>& results, std::string_view name) {
  const auto at = std::find_if(results.begin(), results.end(),
                               [&](const auto& result) { return result.invariant == name; });
  REQUIRE(at != results.end());
  return *at;
}

}  // namespace

TEST_CASE("invariants: all are tried and hold, with and without a sliding window") {
  const Catalogue catalogue;
  const HardwareProfile device = catalogue.hardware("nvidia-a100-sxm4-80gb");
  for (const std::string name : {"llama-2-7b", "mistral-7b-v0.1", "gemma-3-1b", "gpt2"}) {
    const std::vector<InvariantResult> results = check_invariants(catalogue.model(name), device);
    REQUIRE(results.size() == 6);
    for (const InvariantResult& result : results) {
      INFO(name << ", " << std::string(result.invariant) << ": " << result.detail);
      CHECK(result.holds == true);
      CHECK(result.cases > 0);
    }
  }
}

TEST_CASE("invariants: what cannot be tried neither holds nor fails, and says why") {
  const Model model = build_model(test::llama_2_7b_card());
  HardwareProfile device = Catalogue().hardware("nvidia-a100-sxm4-80gb");
  device.memory.capacity.reset();
  const std::vector<InvariantResult> without_size = check_invariants(model, device);
  CHECK_FALSE(find(without_size, "largest batch is exact").holds.has_value());
  CHECK_FALSE(find(without_size, "largest batch is exact").detail.empty());
  CHECK(find(without_size, "bound below prediction").holds == true);

  device.peaks.fill(std::nullopt);
  const std::vector<InvariantResult> without_peaks = check_invariants(model, device);
  REQUIRE(without_peaks.size() == 1);
  CHECK_FALSE(without_peaks.front().holds.has_value());
  CHECK_FALSE(without_peaks.front().detail.empty());
}

}  // namespace roofcast
