#include "roofcast/base/spelling.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using roofcast::did_you_mean;
using roofcast::nearest;

namespace {
using Names = std::vector<std::string>;
using Views = std::vector<std::string_view>;

const Views kKeys = {"hidden_size", "heads",  "kv_heads",     "head_dim", "layers",
                     "vocabulary",  "hidden", "intermediate", "context"};
const Views kDevices = {"nvidia-a100-sxm4-80gb",
                        "nvidia-h100-sxm5-80gb",
                        "a100-sxm4-80",
                        "h100",
                        "rtx-4090",
                        "rtx-4080"};
}  // namespace

TEST_CASE("spelling: one wrong, missing, extra or swapped letter is found") {
  CHECK(nearest("hiden_size", kKeys) == Names{"hidden_size"});
  CHECK(nearest("hiddden_size", kKeys) == Names{"hidden_size"});
  CHECK(nearest("hidden_sise", kKeys) == Names{"hidden_size"});
  CHECK(nearest("hidden_szie", kKeys) == Names{"hidden_size"});
  CHECK(nearest("lyaers", kKeys) == Names{"layers"});
}

TEST_CASE("spelling: best first, at most the limit") {
  CHECK(nearest("rtx-4070", kDevices) == Names{"rtx-4090", "rtx-4080"});
  CHECK(nearest("rtx-4070", kDevices, 1) == Names{"rtx-4090"});
  // "heads" is the word itself and the other two merely contain or continue it.
  CHECK(nearest("heads", kKeys).front() == "heads");
}

TEST_CASE("spelling: case and separators count little") {
  CHECK(nearest("RTX 4090", kDevices).front() == "rtx-4090");
  CHECK(nearest("H-100", kDevices).front() == "h100");
  CHECK(nearest("KVHEADS", kKeys).front() == "kv_heads");
  CHECK(nearest("kv-heads", kKeys).front() == "kv_heads");
}

TEST_CASE("spelling: a name that begins with the word is near, however long it goes on") {
  CHECK(nearest("a100", kDevices) == Names{"h100", "a100-sxm4-80"});
  CHECK(nearest("nvidia-h100", kDevices) == Names{"nvidia-h100-sxm5-80gb"});
  CHECK(nearest("vocab", kKeys) == Names{"vocabulary"});
  CHECK(nearest("rt", kDevices) == Names{});  // two letters say nothing
}

// A third of six letters is two edits: "xxyers" is two from "layers", "xxxers" three.
TEST_CASE("spelling: nothing is near beyond a third of the word") {
  CHECK(nearest("xxyers", kKeys) == Names{"layers"});
  CHECK(nearest("xxxers", kKeys).empty());
  CHECK(nearest("banana", kKeys).empty());
  CHECK(nearest("", kKeys).empty());
  CHECK(nearest("layers", {}).empty());
}

TEST_CASE("spelling: a candidate given twice is named once") {
  CHECK(nearest("layer", Views{"layers", "layers"}) == Names{"layers"});
}

TEST_CASE("spelling: a hostile word is refused, not searched for") {
  CHECK(nearest(std::string(1'000'000, 'a'), kKeys).empty());
  const std::string long_candidate(1'000'000, 'l');
  CHECK(nearest("layers", Views{long_candidate}).empty());
}

TEST_CASE("spelling: the question names one, two or three") {
  CHECK(did_you_mean("hiden_size", kKeys) == "; did you mean 'hidden_size'?");
  CHECK(did_you_mean("rtx-4070", kDevices) == "; did you mean 'rtx-4090' or 'rtx-4080'?");
  // One separator is one slip, two letters of the other case are two.
  CHECK(did_you_mean("ab", Views{"AB", "a-b", "a.b"}) == "; did you mean 'a-b', 'a.b' or 'AB'?");
  CHECK(did_you_mean("banana", kKeys) == "");
}
