#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/model/model.hpp"
#include "roofcast/model/number_format.hpp"
#include "roofcast/report/report.hpp"

#include <string_view>
#include <vector>

/// What is known: the answers of `models`, `hardware` and `precisions`. `filter` keeps the entries
/// whose name, title or aliases contain it, whatever the case; empty keeps all.
namespace roofcast {

Report build_models_report(const std::vector<Model>& models, std::string_view filter);
Report build_model_report(const Model& model);

Report build_hardware_list_report(const std::vector<HardwareProfile>& profiles,
                                  std::string_view filter);
/// `sources`: adds where each number was read.
Report build_hardware_report(const HardwareProfile& profile, bool sources);

Report build_precisions_report(std::string_view filter);
Report build_precision_report(const NumberFormat& format);

}  // namespace roofcast
