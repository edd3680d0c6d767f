// `roofcast precisions [NAME]`: the table of number formats, or one of them in full.
#include "roofcast/base/error.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/report/build_lists.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace roofcast {
namespace {

class PrecisionsCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(app, "NAME", name_,
               {"FORMAT", "a format to show in full; part of a name lists all that contain it"},
               false);
  }

  Answer run(const CommandContext&) override {
    if (const NumberFormat* format = find_number_format(name_))
      return {build_precision_report(*format)};
    Report report = build_precisions_report(name_);
    if (name_.empty() || !std::get<Grid>(report.blocks.back()).rows.empty())
      return {std::move(report)};
    static_cast<void>(number_format(name_));  // throws, with the nearest names
    return {std::move(report)};
  }

 private:
  std::string name_;
};

ROOFCAST_COMMAND("precisions", PrecisionsCommand, 82,
                 "number formats, their exact storage and their paths",
                 "roofcast precisions nvfp4");

}  // namespace
}  // namespace roofcast
