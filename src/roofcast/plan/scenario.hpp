#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/forecast.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// Everything that a forecast depends on, as the user named it, so that one thing can be changed
/// while the rest stays as it was asked: with weights=auto a change of the model's format follows.
struct Scenario {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const HardwareProfile> profile;
  PrecisionRequest precision;
  Workload workload;
  const Runtime* runtime = nullptr;
  std::string level = "best";
  std::int64_t kv_block = 16;
  double memory_fraction = 0.9;

  /// Refers to this scenario's model and profile.
  /// @throws UsageError  a format that is unknown or cannot serve in its place
  [[nodiscard]] ForecastRequest request() const;
};

/// One setting of a change: "weights" to "fp8".
struct Assignment {
  std::string key;
  std::string value;
};

/// What is changed at once: the parts of "weights=fp8,activations=fp8".
struct Change {
  std::string text;
  std::vector<Assignment> assignments;
};

/// The keys that a change may set.
std::span<const std::string_view> change_keys();

/// @throws UsageError  no KEY=VALUE, an unknown key (nearest names given), a key set twice
Change parse_change(std::string_view text);

/// Resolves the name of a device. @throws UsageError  unknown
using FindDevice = std::function<HardwareProfile(const std::string& name)>;

/// @throws UsageError  a value that its key cannot have
Scenario apply(const Change& change, const Scenario& base, const FindDevice& find_device);

}  // namespace roofcast
