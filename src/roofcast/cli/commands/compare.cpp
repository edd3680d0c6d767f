// `roofcast compare MODELS --gpu GPUS`: candidates side by side, with relative lines.
#include "roofcast/plan/compare.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/cli/options.hpp"
#include "roofcast/report/build_compare.hpp"

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::string_view kCandidates = "Candidates: lists a,b,c; every combination is one";
/// More columns than a person can compare.
constexpr std::size_t kMaxCandidates = 12;

class CompareCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(app, "MODEL", models_, {"MODEL", "models: names, aliases or card files"});
    text_option(app, "--gpu", gpus_, {"GPU", "devices", kCandidates}, true);
    text_option(app, "--weights", weights_,
                {"FORMAT", "formats of the linear layers", kCandidates});
    text_option(app, "--activations", activations_,
                {"FORMAT", "formats of activations", kCandidates});
    text_option(app, "--kv", kv_, {"FORMAT", "formats of the KV cache", kCandidates});
    workload_.add(app);
    engine_.add(app);
  }

  Answer run(const CommandContext& context) override {
    return {build_compare_report(compare(contenders(context.catalogue)))};
  }

 private:
  [[nodiscard]] Scenario shared() const {
    Scenario scenario;
    scenario.workload = workload_.resolve();
    scenario.runtime = &engine_.resolve_runtime();
    scenario.level = engine_.level;
    scenario.kv_block = engine_.resolve_kv_block();
    scenario.memory_fraction = engine_.resolve_memory_fraction();
    return scenario;
  }

  [[nodiscard]] std::vector<PrecisionRequest> schemes() const {
    std::vector<PrecisionRequest> all;
    for (const std::string& weights : parse_name_list("--weights", weights_)) {
      for (const std::string& activations : parse_name_list("--activations", activations_)) {
        for (const std::string& kv : parse_name_list("--kv", kv_))
          all.push_back({.weights = weights, .activations = activations, .kv = kv});
      }
    }
    return all;
  }

  [[nodiscard]] std::vector<Contender> contenders(const Catalogue& catalogue) const {
    const std::vector<std::string> models = parse_name_list("MODEL", models_);
    const std::vector<std::string> gpus = parse_name_list("--gpu", gpus_);
    const std::vector<PrecisionRequest> precisions = schemes();
    if (models.size() * gpus.size() * precisions.size() > kMaxCandidates) {
      throw UsageError(
          fmt::format("{} x {} x {} candidates are more than {} columns; 'roofcast "
                      "sweep' takes the same lists and ranks them",
                      models.size(), gpus.size(), precisions.size(), kMaxCandidates));
    }
    std::vector<Contender> all;
    for (const std::string& model_name : models) {
      const auto model = std::make_shared<const Model>(catalogue.model(model_name));
      for (const std::string& gpu : gpus) {
        const auto profile = std::make_shared<const HardwareProfile>(find_device(catalogue, gpu));
        for (const PrecisionRequest& precision : precisions) {
          Contender& contender = all.emplace_back(Contender{
              shared(), short_name(model_name, model->card.name), short_name(gpu, profile->name)});
          contender.scenario.model = model;
          contender.scenario.profile = profile;
          contender.scenario.precision = precision;
        }
      }
    }
    return all;
  }

  std::string models_;
  std::string gpus_;
  std::string weights_ = "auto";
  std::string activations_ = "auto";
  std::string kv_ = "auto";
  WorkloadOptions workload_;
  EngineOptions engine_;
};

ROOFCAST_COMMAND("compare", CompareCommand, 40, "models, devices or schemes side by side",
                 "roofcast compare llama-3.1-8b --gpu a100-sxm4-80,h100-sxm5-80,h200-sxm-141");

}  // namespace
}  // namespace roofcast
