// `roofcast completion SHELL`: a script that completes commands, options and names, generated from
// the definitions.
#include "roofcast/cli/completion.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/cli/command_line.hpp"
#include "roofcast/cost/cost_model.hpp"
#include "roofcast/predict/explain.hpp"
#include "roofcast/predict/runtime.hpp"

#include <algorithm>
#include <ostream>

namespace roofcast {
namespace {

CompletedType embedded(std::string type, std::span<const CatalogueEntry> entries) {
  CompletedType result{std::move(type), {}};
  for (const CatalogueEntry& entry : entries) {
    result.candidates.emplace_back(entry.name);
    result.candidates.insert(result.candidates.end(), entry.aliases.begin(), entry.aliases.end());
  }
  return result;
}

template <class Range>
CompletedType named(std::string type, const Range& entries, std::vector<std::string> first = {}) {
  CompletedType result{std::move(type), std::move(first)};
  for (const auto& entry : entries)
    result.candidates.emplace_back(entry.name);
  return result;
}

CompletionData completion_data() {
  CompletionData data;
  for (const auto& [name, entry] : Commands::instance().entries()) {
    data.commands.push_back({name, std::string(entry.summary), CommandLine(name, entry).options()});
  }
  data.types = {embedded("MODEL", embedded_cards()), embedded("GPU", embedded_profiles()),
                named("FORMAT", number_formats(), {"auto"}), named("RUNTIME", runtimes())};
  CompletedType levels{"LEVEL", {"best"}};
  for (const std::string_view level : CostLevels::instance().names())
    levels.candidates.emplace_back(level);
  CompletedType quantities{"QUANTITY", {}};
  for (const std::string_view each : explainable_quantities())
    quantities.candidates.emplace_back(each);
  data.types.push_back(std::move(levels));
  data.types.push_back(std::move(quantities));
  return data;
}

class CompletionCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(app, "SHELL", shell_, {"bash|zsh|fish", "the shell that will read the script"});
  }

  Answer run(const CommandContext& context) override {
    const auto write = [&](const std::string& script) {
      context.out << script;
      return Answer{.report = {}, .status = 0, .streamed = true};
    };
    if (shell_ == "bash")
      return write(bash_completion(completion_data()));
    if (shell_ == "zsh")
      return write(zsh_completion(completion_data()));
    if (shell_ == "fish")
      return write(fish_completion(completion_data()));
    throw UsageError("unknown shell '" + shell_ + "'; the shells are bash, zsh and fish");
  }

 private:
  std::string shell_;
};

ROOFCAST_COMMAND("completion", CompletionCommand, 99,
                 "a script that completes roofcast's command line",
                 "source <(roofcast completion bash)");

}  // namespace
}  // namespace roofcast
