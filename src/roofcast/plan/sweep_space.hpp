#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/plan/where.hpp"
#include "roofcast/predict/runtime.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// What varies in a sweep, in the order of the axes: the last one, batch, varies fastest, so that
/// each curve over the batch stands in one piece. Formats are names or "auto".
struct SweepAxes {
  std::vector<Model> models;
  std::vector<HardwareProfile> devices;
  /// For people, beside `models` and `devices`: shorter than the full names. Empty: the full names.
  std::vector<std::string> model_labels;
  std::vector<std::string> device_labels;
  std::vector<std::string> weights = {"auto"};
  std::vector<std::string> activations = {"auto"};
  std::vector<std::string> kv = {"auto"};
  std::vector<const Runtime*> runtimes;
  std::vector<std::int64_t> prompts;
  std::vector<std::int64_t> outputs;
  std::vector<std::int64_t> batches;
};

/// What all configurations of a sweep share.
struct SweepSettings {
  std::string embedding = "auto";
  std::string head = "auto";
  std::string level = "best";
  std::int64_t kv_block = 16;
  double memory_fraction = 0.9;
};

/// What the evaluator of steps is built for: everything but the workload.
struct SweepGroup {
  const Model* model = nullptr;
  const HardwareProfile* device = nullptr;
  std::string_view weights;
  std::string_view activations;
  std::string_view kv;
  const Runtime* runtime = nullptr;
};

/// A half-open range of indices into the product.
struct IndexRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// The cross product of the axes, never written out: index -> configuration.
class SweepSpace {
 public:
  /// @throws UsageError  an axis that is empty or names one thing twice, an unknown format or
  /// level, more than 2^53 configurations
  SweepSpace(SweepAxes axes, SweepSettings settings);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t group_size() const { return group_size_; }
  [[nodiscard]] const SweepAxes& axes() const { return axes_; }
  [[nodiscard]] const SweepSettings& settings() const { return settings_; }

  /// The group of configurations index / group_size().
  [[nodiscard]] SweepGroup group(std::int64_t number) const;
  [[nodiscard]] Workload workload(std::int64_t index) const;

  /// Part `number` of `count` (1-based), contiguous; the parts are disjoint, in order, and together
  /// the whole.
  [[nodiscard]] IndexRange shard(std::int64_t number, std::int64_t count) const;

  /// The values of the text columns of this sweep's rows. Refers to this object.
  [[nodiscard]] TextValues text_values() const;

 private:
  [[nodiscard]] std::vector<std::string_view> shown(const SweepColumn& column) const;

  SweepAxes axes_;
  SweepSettings settings_;
  std::int64_t size_ = 0;
  std::int64_t group_size_ = 0;
};

}  // namespace roofcast
