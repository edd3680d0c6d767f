#include "roofcast/cost/cost_model.hpp"
#include "roofcast/cost/roofline.hpp"

namespace roofcast {
namespace {

/// Level `spec`: the datasheet's roofline over the bytes that no fusion avoids, nothing fitted.
class SpecModel final : public CostModel {
 public:
  explicit SpecModel(const HardwareProfile& profile) : roof_(profile) {}

  [[nodiscard]] CostTerms terms(const Operator& op) const override {
    return {.compute = roof_.compute(op.work, op.path), .memory = roof_.memory(op.bytes())};
  }
  [[nodiscard]] Band band(const Operator& /*op*/) const override { return {}; }
  [[nodiscard]] bool is_bound() const override { return true; }
  [[nodiscard]] std::string provenance(const Operator& /*op*/) const override {
    return "datasheet";
  }

 private:
  Roof roof_;
};

std::unique_ptr<const CostModel> make_spec(const HardwareProfile& profile) {
  return std::make_unique<SpecModel>(profile);
}

ROOFCAST_COST_LEVEL("spec",
                    {.rank = 0,
                     .summary = "max(work / peak, bytes / bandwidth) of the datasheet: the bound",
                     .make = make_spec});

}  // namespace
}  // namespace roofcast
