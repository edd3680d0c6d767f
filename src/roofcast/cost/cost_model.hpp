#pragma once

#include "roofcast/base/registry.hpp"
#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/operator.hpp"

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace roofcast {

enum class LimitedBy { compute, memory, network, overhead };
std::string_view name(LimitedBy limit);

/// Time of one run of one operator, before composition: T = fixed + activations + (compute^p +
/// memory^p)^(1/p). docs/model.md Eq. 10. p = infinity is max(compute, memory), which is what keeps
/// the sum over a growing context closed: an operator whose terms depend on the context has p =
/// infinity, a fixed part that does not, a compute part proportional to its work and a memory part
/// proportional to its bytes.
struct CostTerms {
  Seconds compute{};
  Seconds memory{};
  bool with_activations = false;  ///< `memory` is the time of traffic(), not of bytes() alone
  Seconds activations{};  ///< their own time, beside the rest, where `memory` leaves them out
  Seconds fixed{};
  double exponent = std::numeric_limits<double>::infinity();

  /// (compute^p + memory^p)^(1/p)
  [[nodiscard]] Seconds variable() const;
  [[nodiscard]] Seconds total() const { return fixed + activations + variable(); }
  /// The larger of compute and memory (activations included), or overhead where `fixed` exceeds
  /// both.
  [[nodiscard]] LimitedBy limited_by() const;
};

/// The 80 % band as factors on a prediction: a measurement lies in [low, high] x predicted in 80 of
/// 100 held-out cases.
struct Band {
  double low = 1.0;
  double high = 1.0;
};

/// Costs operators on one device. Allocates nothing per call, touches no text.
class CostModel {
 public:
  virtual ~CostModel() = default;
  [[nodiscard]] virtual CostTerms terms(const Operator& op) const = 0;
  /// Does not depend on the context.
  [[nodiscard]] virtual Band band(const Operator& op) const = 0;
  /// Its predictions are the bound itself: a step overlaps all work with all bytes, and neither a
  /// host nor a band is added. docs/model.md Eq. 11.
  [[nodiscard]] virtual bool is_bound() const { return false; }
  /// The device's architecture has no constants of its own: those of the nearest one, with a wider
  /// band.
  [[nodiscard]] virtual bool nearest_constants() const { return false; }
  /// Where the constants for `op` come from: "fit: hopper gemm bf16, H100 tables", "datasheet".
  [[nodiscard]] virtual std::string provenance(const Operator& op) const = 0;
};

/// A level of the model: spec, fit, ... One file each in cost/models/.
struct CostLevel {
  int rank;  ///< `best` takes the highest
  std::string_view summary;
  std::unique_ptr<const CostModel> (*make)(const HardwareProfile& profile);
};

using CostLevels = Registry<CostLevel>;

/// `level`: a registered name, or "best". @throws UsageError  unknown level, with the known ones
std::unique_ptr<const CostModel> make_cost_model(std::string_view level,
                                                 const HardwareProfile& profile);

}  // namespace roofcast

#define ROOFCAST_COST_LEVEL(level_name, ...)             \
  [[maybe_unused]] static const bool registered_level_ = \
      ::roofcast::CostLevels::instance().add(level_name, __VA_ARGS__)
