#include "roofcast/model/kv_cache.hpp"
#include "roofcast/report/build_report.hpp"
#include "roofcast/report/request_records.hpp"
#include "roofcast/units/format.hpp"

#include <fmt/format.h>

namespace roofcast {

Report build_memory_report(const MemoryAnswer& answer) {
  const RequestShown shown{answer.model,
                           answer.profile,
                           answer.runtime,
                           answer.plan,
                           answer.workload,
                           answer.request.context,
                           answer.request.kv_block,
                           answer.request.memory_fraction};
  Report report;
  report.command = "memory";
  report.heading = request_heading(shown);
  report.subheading = {fmt::format("batch {} · context {} · prompt {} · runtime {}",
                                   format_count(answer.request.batch),
                                   format_count(answer.request.context),
                                   format_count(answer.request.prompt), answer.runtime->name)};
  report.alert = fit_alert(answer.memory);
  report.blocks = request_records(shown);
  for (Block& block : memory_records(answer.memory, {.batch = answer.request.batch,
                                                    .context = answer.request.context,
                                                    .kv_block = answer.request.kv_block,
                                                    .made_for = answer.model->card.context,
                                                    .window = full_context(*answer.model),

                                                    .prompt = answer.request.prompt,
                                                    .model = answer.model,
                                                    .runtime = answer.runtime,
                                                    .profile = answer.profile})) {
    report.blocks.push_back(std::move(block));
  }
  add_warnings(report, answer.warnings);
  std::string fit = fit_sentence(answer.memory);
  if (!fit.empty())
    report.verdict = std::move(fit);
  return report;
}

}  // namespace roofcast
