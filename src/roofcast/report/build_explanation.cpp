#include "roofcast/report/build_explanation.hpp"

#include "roofcast/report/request_records.hpp"

#include <fmt/format.h>

namespace roofcast {

namespace {

/// In SI units; what is no number (yes, compute) as the word that it is.
Value explained_value(const Explanation& explanation) {
  if (explanation.value)
    return *explanation.value;
  if (explanation.result == "unknown")
    return {};
  if (explanation.result == "yes" || explanation.result == "no")
    return explanation.result == "yes";
  return explanation.result;
}

}  // namespace

Report build_explanation_report(const Explanation& explanation, const Forecast& forecast) {
  const ForecastRequest& asked = forecast.request;
  const std::int64_t context = asked.workload.prompt + asked.workload.output;
  const RequestShown shown{asked.model,    asked.profile, asked.runtime,  asked.plan,
                           asked.workload, context,       asked.kv_block, asked.memory_fraction};
  Report report;
  report.command = "explain";
  report.heading = fmt::format("{}: {}", explanation.quantity, explanation.title);
  report.subheading = {request_heading(shown), workload_line(shown) + " · level " + asked.level};
  report.blocks = request_records(shown);

  Record facts;
  facts.fields = {{.key = "quantity", .value = explanation.quantity},
                  {.key = "title", .value = explanation.title},
                  {.key = "equation", .value = std::int64_t{explanation.equation}},
                  {.key = "formula", .value = explanation.formula},
                  {.key = "result", .value = explanation.result},
                  {.key = "value", .value = explained_value(explanation)},
                  {.key = "level", .value = asked.level}};
  report.blocks.emplace_back(std::move(facts));
  report.blocks.emplace_back(
      Text{.key = "",
           .title = fmt::format("Equation {} of docs/model.md", explanation.equation),
           .lines = {explanation.formula}});
  Grid symbols{.key = "symbols",
               .title = "where",
               .columns = {{.key = "symbol", .label = "symbol", .left = true},
                           {.key = "value", .label = "value", .left = true},
                           {.key = "meaning", .label = "meaning", .left = true},
                           {.key = "source", .label = "source", .left = true}},
               .details = true};
  for (const ExplainedSymbol& each : explanation.symbols) {
    symbols.rows.push_back({each.symbol, each.value, each.meaning, each.source});
  }
  if (!symbols.rows.empty())
    report.blocks.emplace_back(std::move(symbols));
  report.blocks.emplace_back(
      Text{.key = "lines", .title = "with the numbers put in", .lines = explanation.lines});
  report.verdict = fmt::format("{} = {}", explanation.quantity, explanation.result);
  return report;
}

}  // namespace roofcast
