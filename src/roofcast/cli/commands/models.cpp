// `roofcast models [NAME]`: the known models, or one of them in full.
#include "roofcast/base/error.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/report/build_lists.hpp"

namespace roofcast {
namespace {

class ModelsCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(
        app, "NAME", name_,
        {"MODEL", "a model or card file to show in full; part of a name lists all that contain it"},
        false);
  }

  Answer run(const CommandContext& context) override {
    if (name_.empty())
      return {build_models_report(context.catalogue.all_models(), "")};
    try {
      return {build_model_report(context.catalogue.model(name_))};
    } catch (const UsageError&) {
      Report list = build_models_report(context.catalogue.all_models(), name_);
      if (std::get<Grid>(list.blocks.front()).rows.empty())
        throw;
      return {std::move(list)};
    }
  }

 private:
  std::string name_;
};

ROOFCAST_COMMAND("models", ModelsCommand, 80, "the known models, or one with its shape and tensors",
                 "roofcast models llama-2-7b");

}  // namespace
}  // namespace roofcast
