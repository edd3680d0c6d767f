#include "roofcast/cost/cost_model.hpp"
#include "roofcast/cost/fit_constants.hpp"
#include "roofcast/cost/roofline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofcast {
namespace {

/// A row of the table, prepared for multiplication.
struct Entry {
  double per_compute = 1;
  double per_memory = 1;
  double per_activation = 0;  ///< 0: the memory term covers the activations
  Seconds fixed{};
  double exponent = 1;
  ChosenConstants chosen;
};

Entry prepare(const ChosenConstants& chosen) {
  const FitConstants& row = *chosen.row;
  return {.per_compute = 1.0 / row.compute,
          .per_memory = 1.0 / row.memory,
          .per_activation = row.activations > 0 ? 1.0 / row.activations : 0.0,
          .fixed = seconds(row.fixed_us * 1e-6),
          .exponent = row.exponent,
          .chosen = chosen};
}

/// The band of a kernel whose larger term is `size` times the border between small and large: from
/// half of it to twice it one goes over into the other, since a step there would let the upper edge
/// fall while the work grows.
Band blend(const ChosenConstants& chosen, double size) {
  if (size <= 0.5 ||
      (chosen.small.low == chosen.large.low && chosen.small.high == chosen.large.high))
    return chosen.small;
  if (!(size < 2.0))  // infinite where nothing is fixed
    return chosen.large;
  const double share = 0.5 + 0.5 * std::log2(size);
  return {std::lerp(chosen.small.low, chosen.large.low, share),
          std::lerp(chosen.small.high, chosen.large.high, share)};
}

/// Level `fit`: achieved shares of the datasheet's rates and a fixed cost per kernel.
class FitModel final : public CostModel {
 public:
  explicit FitModel(const HardwareProfile& profile)
      : roof_(profile), architecture_(profile.architecture) {
    const ChosenTable table = choose_constants(profile);
    for (std::size_t kind = 0; kind < kOperatorKinds; ++kind) {
      std::transform(table[kind].begin(), table[kind].end(), entries_[kind].begin(), prepare);
    }
    const auto gemm = static_cast<std::size_t>(OperatorKind::gemm);
    nearest_ = table[gemm][static_cast<std::size_t>(OperandClass::wide)].borrowed;
  }

  [[nodiscard]] CostTerms terms(const Operator& op) const override {
    const Entry& entry = find(op);
    const bool apart = entry.per_activation > 0;
    const Bytes moved = apart ? op.bytes() : op.traffic();
    return {.compute = entry.per_compute * roof_.compute(op.work, op.path),
            .memory = entry.per_memory * roof_.memory(moved),
            .with_activations = !apart,
            .activations = entry.per_activation * roof_.memory(op.activations),
            .fixed = entry.fixed,
            .exponent = entry.exponent};
  }

  [[nodiscard]] Band band(const Operator& op) const override {
    const Entry& entry = find(op);
    const Seconds compute = entry.per_compute * roof_.compute(op.work, op.path);
    const Seconds memory = entry.per_memory * roof_.memory(op.traffic());
    return blend(entry.chosen, std::max(compute, memory) / (kSmall * entry.fixed));
  }

  [[nodiscard]] bool nearest_constants() const override { return nearest_; }

  [[nodiscard]] std::string provenance(const Operator& op) const override {
    const ChosenConstants& chosen = find(op).chosen;
    std::string text = "fit: ";
    text.append(chosen.row->set).append(", ").append(chosen.row->source);
    if (chosen.borrowed) {
      text.append("; nearest constants for ").append(architecture_);
      text.append(" at ").append(name(operand_class(op)));
    }
    return text;
  }

 private:
  [[nodiscard]] const Entry& find(const Operator& op) const {
    return entries_[static_cast<std::size_t>(op.kind)][static_cast<std::size_t>(operand_class(op))];
  }

  Roof roof_;
  std::string architecture_;
  bool nearest_ = false;
  std::array<std::array<Entry, kOperandClasses>, kOperatorKinds> entries_;
};

std::unique_ptr<const CostModel> make_fit(const HardwareProfile& profile) {
  return std::make_unique<FitModel>(profile);
}

ROOFCAST_COST_LEVEL("fit",
                    {.rank = 1,
                     .summary = "fixed time per kernel, and measured shares of peak and bandwidth",
                     .make = make_fit});

}  // namespace
}  // namespace roofcast
