// `roofcast check FILE...`: cards and profiles are well-formed, and what must hold for every model
// and device holds for them. Few files are tried on one another; of many, each on a reference.
#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/input/document.hpp"
#include "roofcast/input/problem_list.hpp"
#include "roofcast/model/architecture.hpp"
#include "roofcast/model/readers/card_yaml.hpp"
#include "roofcast/predict/invariants.hpp"
#include "roofcast/units/format.hpp"

#include <array>
#include <memory>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::string_view kCardSchema = "roofcast/model/1";
constexpr std::string_view kProfileSchema = "roofcast/hardware/1";
/// What files are checked against, the first of each alone when many are given.
constexpr std::array<std::string_view, 2> kReferenceDevices = {"nvidia-a100-sxm4-80gb",
                                                               "nvidia-h100-sxm5-80gb"};
constexpr std::array<std::string_view, 2> kReferenceModels = {"llama-2-7b", "mistral-7b-v0.1"};
/// Pairs of given files that are all tried; each takes some milliseconds.
constexpr std::size_t kMostPairs = 16;
constexpr std::size_t kFewFiles = 4;

/// What became of one file.
struct CheckedFile {
  std::string file;
  std::int64_t cases = 0;
  std::int64_t failed = 0;     ///< invariants
  std::int64_t not_tried = 0;  ///< invariants
};

struct CheckedModel {
  CheckedFile* file;  ///< null for a reference
  Model model;
};
struct CheckedProfile {
  CheckedFile* file;
  HardwareProfile profile;
};

std::string verdict_of(const CheckedFile& file) {
  if (file.failed > 0)
    return fmt::format("{} do not hold", format_count(file.failed));
  if (file.cases == 0)
    return "nothing could be checked";
  return file.not_tried > 0 ? fmt::format("holds; {} could not be tried", file.not_tried) : "holds";
}

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
    if (!models_.empty() && !profiles_.empty() && models_.size() * profiles_.size() <= kMostPairs) {
      try_all(models_, profiles_);
    } else {
      try_references(context.catalogue);
    }
    return {report(), total_.failed > 0 ? 1 : 0};
  }

 private:
  /// Each file alone, on references: their number grows with the files, not with its square.
  void try_references(const Catalogue& catalogue) {
    const std::size_t references = checked_.size() <= kFewFiles ? kReferenceDevices.size() : 1;
    std::vector<CheckedModel> models;
    std::vector<CheckedProfile> profiles;
    for (std::size_t i = 0; i < references; ++i) {
      models.push_back({nullptr, catalogue.model(kReferenceModels.at(i))});
      profiles.push_back({nullptr, catalogue.hardware(kReferenceDevices.at(i))});
    }
    try_all(models_, profiles);
    try_all(models, profiles_);
  }

  void try_all(const std::vector<CheckedModel>& models,
               const std::vector<CheckedProfile>& profiles) {
    for (const CheckedModel& model : models) {
      for (const CheckedProfile& profile : profiles) {
        for (const InvariantResult& result : check_invariants(model.model, profile.profile)) {
          for (CheckedFile* file : {model.file, profile.file, &total_}) {
            if (file != nullptr)
              count(result, *file);
          }
          if (result.holds != true)
            add_detail(model.model.card.name, profile.profile.name, result);
        }
      }
    }
  }

  static void count(const InvariantResult& result, CheckedFile& file) {
    file.cases += result.cases;
    file.failed += result.holds == false ? 1 : 0;
    file.not_tried += result.holds.has_value() ? 0 : 1;
  }

  void add_detail(const std::string& model, const std::string& device,
                  const InvariantResult& result) {
    details_.rows.push_back({model, device, std::string(result.invariant), result.cases,
                             value_or_null(result.holds), Value{result.detail},
                             fmt::format("{}: {}", result.invariant, result.detail)});
  }

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
    auto checked = std::make_unique<CheckedFile>(CheckedFile{.file = file});
    const std::string schema = schema_of(document);
    if (schema == kCardSchema) {
      models_.push_back({checked.get(), build_model(read_model_card(document))});
    } else if (schema == kProfileSchema) {
      profiles_.push_back({checked.get(), read_hardware_profile(document)});
    } else {
      fail_schema(document);
    }
    checked_.push_back(std::move(checked));
  }

  [[nodiscard]] Grid file_grid() const {
    Grid grid{.columns = {{.key = "file", .label = "file", .left = true},
                          {.key = "cases", .label = "cases"},
                          {.key = "failed"},
                          {.key = "not_tried"},
                          {.key = "verdict", .label = "invariants", .left = true}}};
    for (const auto& file : checked_) {
      grid.rows.push_back(
          {file->file, file->cases, file->failed, file->not_tried, verdict_of(*file)});
    }
    return grid;
  }

  [[nodiscard]] std::string verdict() const {
    if (total_.failed > 0)
      return fmt::format("{} invariants do not hold.", format_count(total_.failed));
    if (total_.cases == 0)
      return "Nothing could be checked but the form.";
    return total_.not_tried > 0 ? "Every invariant holds that could be tried."
                                : "Every invariant holds.";
  }

  [[nodiscard]] Report report() {
    Report report{.command = "check"};
    report.heading = files_.size() == 1 ? files_.front() + " is well-formed"
                                        : fmt::format("{} files are well-formed", files_.size());
    report.blocks.emplace_back(
        Record{.fields = {{.key = "files", .value = static_cast<std::int64_t>(files_.size())},
                          {.key = "cases", .value = total_.cases},
                          {.key = "failed", .value = total_.failed},
                          {.key = "not_tried", .value = total_.not_tried}},
               .machine_only = true});
    report.blocks.emplace_back(file_grid());
    if (!details_.rows.empty())
      report.blocks.emplace_back(std::move(details_));
    report.verdict = verdict();
    return report;
  }

  std::vector<std::string> files_;
  std::vector<std::unique_ptr<CheckedFile>> checked_;
  std::vector<CheckedModel> models_;
  std::vector<CheckedProfile> profiles_;
  CheckedFile total_;
  /// What did not hold or could not be tried.
  Grid details_{.key = "details",
                .columns = {{.key = "model", .label = "model", .left = true},
                            {.key = "hardware", .label = "device", .left = true},
                            {.key = "invariant"},
                            {.key = "cases"},
                            {.key = "holds", .label = "holds"},
                            {.key = "detail"},
                            {.label = "why", .left = true}}};
};

ROOFCAST_COMMAND("check", CheckCommand, 90,
                 "cards and profiles are well-formed, and the invariants hold on them",
                 "roofcast check model_cards/llama-2-7b.yaml hw_profiles/apple-m1-16gb.yaml");

}  // namespace
}  // namespace roofcast
