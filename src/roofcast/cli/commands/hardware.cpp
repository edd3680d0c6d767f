// `roofcast hardware [NAME]`: the known devices, or one of them in full.
#include "roofcast/base/error.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/report/build_lists.hpp"

namespace roofcast {
namespace {

class HardwareCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(
        app, "NAME", name_,
        {"GPU",
         "a device or profile file to show in full; part of a name lists all that contain it"},
        false);
    flag_option(app, "--sources", sources_, "adds where each number of the device was read");
  }

  Answer run(const CommandContext& context) override {
    if (name_.empty() && sources_)
      throw UsageError("--sources needs the NAME of a device");
    if (name_.empty())
      return {build_hardware_list_report(context.catalogue.all_hardware(), "")};
    try {
      return {build_hardware_report(context.catalogue.hardware(name_), sources_)};
    } catch (const UsageError&) {
      Report list = build_hardware_list_report(context.catalogue.all_hardware(), name_);
      if (sources_ || std::get<Grid>(list.blocks.front()).rows.empty())
        throw;
      return {std::move(list)};
    }
  }

 private:
  std::string name_;
  bool sources_ = false;
};

ROOFCAST_COMMAND("hardware", HardwareCommand, 81,
                 "the known devices, or one with peaks and sources",
                 "roofcast hardware h100 --sources");

}  // namespace
}  // namespace roofcast
