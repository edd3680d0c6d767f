#include "roofcast/plan/scenario.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/parse.hpp"

#include <algorithm>
#include <array>

namespace roofcast {
namespace {

constexpr std::array<std::string_view, 11> kKeys = {
    "weights", "activations", "kv",  "embedding",       "head",   "batch",
    "prompt",  "output",      "gpu", "memory-fraction", "runtime"};

[[noreturn]] void fail(const std::string& change, const std::string& why) {
  throw UsageError("--change '" + change + "': " + why);
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

Assignment parse_assignment(const std::string& change, std::string_view part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    fail(change, in_quotes(part) + " is not KEY=VALUE; write for example weights=fp8");
  }
  Assignment assignment{std::string(part.substr(0, equals)), std::string(part.substr(equals + 1))};
  if (std::find(kKeys.begin(), kKeys.end(), assignment.key) == kKeys.end()) {
    std::string help = did_you_mean(assignment.key, kKeys);
    if (help.empty()) {
      help = "; the keys are ";
      for (const std::string_view key : kKeys)
        help.append(key == kKeys[0] ? "" : ", ").append(key);
    }
    fail(change, "unknown key " + in_quotes(assignment.key) + help);
  }
  if (assignment.value.empty())
    fail(change, in_quotes(assignment.key) + " has no value");
  return assignment;
}

/// Applies assignments to one scenario; knows how its messages begin.
class Changer {
 public:
  Changer(const Change& change, const FindDevice& find_device, Scenario& scenario)
      : change_(change), find_device_(find_device), scenario_(scenario) {}

  void set(const Assignment& assignment) {
    const auto& [key, value] = assignment;
    if (std::string* format = precision(key)) {
      if (value != "auto")
        static_cast<void>(number_format(value));  // throws when unknown
      *format = value;
    } else if (key == "batch") {
      scenario_.workload.batch = count(assignment, kMaxSequences);
    } else if (key == "prompt") {
      scenario_.workload.prompt = count(assignment, kMaxTokens);
    } else if (key == "output") {
      scenario_.workload.output = count(assignment, kMaxTokens);
    } else if (key == "gpu") {
      scenario_.profile = std::make_shared<const HardwareProfile>(find_device_(value));
    } else if (key == "memory-fraction") {
      scenario_.memory_fraction = fraction(value);
    } else {
      scenario_.runtime = &find_runtime(value);
    }
  }

 private:
  std::string* precision(std::string_view key) {
    PrecisionRequest& request = scenario_.precision;
    if (key == "weights")
      return &request.weights;
    if (key == "activations")
      return &request.activations;
    if (key == "kv")
      return &request.kv;
    if (key == "embedding")
      return &request.embedding;
    return key == "head" ? &request.head : nullptr;
  }

  [[nodiscard]] std::int64_t count(const Assignment& assignment, std::int64_t high) const {
    const Parsed<std::int64_t> parsed = parse_count(assignment.value);
    if (!parsed.ok())
      fail(change_.text, in_quotes(assignment.value) + " " + parsed.problem);
    if (parsed.value < 1 || parsed.value > high) {
      fail(change_.text, assignment.key + " must be from 1 to " + format_count(high));
    }
    return parsed.value;
  }

  [[nodiscard]] double fraction(const std::string& value) const {
    const Parsed<double> parsed = parse_number(value);
    if (!parsed.ok())
      fail(change_.text, in_quotes(value) + " " + parsed.problem);
    if (!(parsed.value >= 0.01 && parsed.value <= 1.0)) {
      fail(change_.text, "memory-fraction must be from 0.01 to 1");
    }
    return parsed.value;
  }

  const Change& change_;
  const FindDevice& find_device_;
  Scenario& scenario_;
};

}  // namespace

ForecastRequest Scenario::request() const {
  ForecastRequest request;
  request.model = model.get();
  request.profile = profile.get();
  request.plan = plan_precision(model->card, precision);
  request.workload = workload;
  request.runtime = runtime;
  request.level = level;
  request.kv_block = kv_block;
  request.memory_fraction = memory_fraction;
  return request;
}

std::span<const std::string_view> change_keys() {
  return kKeys;
}

Change parse_change(std::string_view text) {
  Change change{std::string(text), {}};
  while (true) {
    const std::size_t comma = text.find(',');
    Assignment next = parse_assignment(change.text, text.substr(0, comma));
    for (const Assignment& earlier : change.assignments) {
      if (earlier.key == next.key)
        fail(change.text, "sets " + in_quotes(next.key) + " twice");
    }
    change.assignments.push_back(std::move(next));
    if (comma == std::string_view::npos)
      return change;
    text.remove_prefix(comma + 1);
  }
}

Scenario apply(const Change& change, const Scenario& base, const FindDevice& find_device) {
  Scenario changed = base;
  Changer changer(change, find_device, changed);
  for (const Assignment& assignment : change.assignments)
    changer.set(assignment);
  return changed;
}

}  // namespace roofcast
