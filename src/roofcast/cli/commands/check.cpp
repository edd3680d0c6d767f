// `roofcast check FILE...`: cards and profiles are well-formed, and what must hold for every model
// and device holds for them.
#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/cli/invariants.hpp"
#include "roofcast/input/document.hpp"
#include "roofcast/input/problem_list.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/readers/card_yaml.hpp"

#include <array>
#include <memory>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::string_view kCardSchema = "roofcast/model/1";
constexpr std::string_view kProfileSchema = "roofcast/hardware/1";
/// What a file is checked against when no file of the other kind is given.
constexpr std::array<std::string_view, 2> kReferenceDevices = {"nvidia-a100-sxm4-80gb",
                                                               "nvidia-h100-sxm5-80gb"};
constexpr std::array<std::string_view, 2> kReferenceModels = {"llama-2-7b", "mistral-7b-v0.1"};

struct CheckedModel {
  std::string file;
  Model model;
};
struct CheckedProfile {
  std::string file;
  HardwareProfile profile;
};

std::string schema_of(const Document& document) {
  const Node* schema = document.root.find("schema");
  return schema != nullptr && schema->kind == Node::Kind::scalar ? schema->scalar : "";
}

[[noreturn]] void fail_schema(const Document& document) {
  const Node* schema = document.root.find("schema");
  ProblemList problems(document);
  problems.add(schema != nullptr ? schema->at : document.root.at,
               fmt::format("'schema' must be '{}' or '{}'", kCardSchema, kProfileSchema));
  problems.finish();
  throw InternalError("a list with a problem did not throw");
}

class CheckCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positionals(app, "FILE", files_, {"FILE", "model cards and hardware profiles"});
  }

  Answer run(const CommandContext& context) override {
    read_files();
    if (models_.empty()) {
      for (const std::string_view name : kReferenceModels)
        models_.push_back({"", context.catalogue.model(name)});
    }
    if (profiles_.empty()) {
      for (const std::string_view name : kReferenceDevices) {
        profiles_.push_back({"", context.catalogue.hardware(name)});
      }
    }
    Grid grid{.columns = {{.key = "model", .label = "model", .left = true},
                          {.key = "hardware", .label = "device", .left = true},
                          {.key = "invariant", .label = "invariant", .left = true},
                          {.key = "cases", .label = "cases"},
                          {.key = "holds", .label = "holds"},
                          {.key = "detail", .label = "detail", .left = true}}};
    std::int64_t failed = 0;
    for (const CheckedModel& model : models_) {
      for (const CheckedProfile& profile : profiles_) {
        for (InvariantResult& result : check_invariants(model.model, profile.profile)) {
          failed += result.holds == false ? 1 : 0;
          grid.rows.push_back({model.model.card.name, profile.profile.name,
                               std::string(result.invariant), result.cases,
                               value_or_null(result.holds),
                               result.detail.empty() ? Value{} : Value{std::move(result.detail)}});
        }
      }
    }
    return {report(std::move(grid), failed), failed > 0 ? 1 : 0};
  }

 private:
  /// Every problem of every file, then one exception.
  void read_files() {
    std::string problems;
    for (const std::string& file : files_) {
      try {
        read_file_at(file);
      } catch (const InputError& error) {
        problems += fmt::format("{}{}", problems.empty() ? "" : "\n", error.what());
      } catch (const UsageError& error) {
        problems +=
            fmt::format("{}{}: error: {}", problems.empty() ? "" : "\n", file, error.what());
      } catch (const ConfigError& error) {
        problems +=
            fmt::format("{}{}: error: {}", problems.empty() ? "" : "\n", file, error.what());
      }
    }
    if (!problems.empty())
      throw InputError(problems);
  }

  void read_file_at(const std::string& file) {
    const Document document = read_document(file);
    const std::string schema = schema_of(document);
    if (schema == kCardSchema) {
      models_.push_back({file, build_model(read_model_card(document))});
    } else if (schema == kProfileSchema) {
      profiles_.push_back({file, read_hardware_profile(document)});
    } else {
      fail_schema(document);
    }
  }

  [[nodiscard]] Report report(Grid grid, std::int64_t failed) const {
    Report report{.command = "check"};
    report.heading = files_.size() == 1 ? files_.front() + " is well-formed"
                                        : fmt::format("{} files are well-formed", files_.size());
    report.blocks.emplace_back(
        Record{.fields = {{.key = "files", .value = static_cast<std::int64_t>(files_.size())},
                          {.key = "failed", .value = failed}},
               .machine_only = true});
    report.blocks.emplace_back(std::move(grid));
    report.verdict =
        failed == 0 ? "Every invariant holds." : fmt::format("{} invariants do not hold.", failed);
    return report;
  }

  std::vector<std::string> files_;
  std::vector<CheckedModel> models_;
  std::vector<CheckedProfile> profiles_;
};

ROOFCAST_COMMAND("check", CheckCommand, 90,
                 "cards and profiles are well-formed, and the invariants hold on them",
                 "roofcast check model_cards/llama-2-7b.yaml hw_profiles/apple-m1-16gb.yaml");

}  // namespace
}  // namespace roofcast
