#include "roofcast/model/kv_cache.hpp"
#include "roofcast/report/build_operators.hpp"
#include "roofcast/report/build_report.hpp"
#include "roofcast/report/request_records.hpp"
#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/units/format.hpp"

#include <cmath>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// "105 to 132 ms", "998 us to 1.02 ms"; empty where the level has no band.
std::string band_text(Seconds low, Seconds high) {
  std::string from = human(low);
  const std::string to = human(high);
  if (from == to)
    return "";
  const std::size_t unit = from.find(' ');
  if (from.substr(unit) == to.substr(to.find(' ')))
    from.resize(unit);
  return from + " to " + to;
}

std::string phase_band(const std::optional<PhaseForecast>& phase) {
  return phase ? band_text(phase->low, phase->high) : "";
}

/// The three times and the rate that the question was about.
Record headline(const Forecast& forecast) {
  const bool several = forecast.request.workload.batch > 1;
  const std::optional<TokensPerSecond>& each = forecast.tokens_per_second_per_sequence;
  Record record{.headline = true};
  record.fields = {
      {.key = "ttft_seconds",
       .label = "TTFT",
       .value = forecast.ttft,
       .note = band_text(forecast.prefill.low, forecast.prefill.high)},
      {.key = "tpot_seconds",
       .label = "TPOT",
       .value = value_or_null(forecast.tpot),
       .note = phase_band(forecast.decode)},
      {.key = "e2e_seconds", .label = "E2E", .value = forecast.e2e},
      {.key = "tokens_per_second",
       .label = "decode rate",
       .value = value_or_null(forecast.tokens_per_second),
       .note = several && each ? format(*each) + " each" : ""},
      {.key = "tokens_per_second_per_sequence", .value = value_or_null(each)},
      {.key = "request_tokens_per_second", .value = forecast.request_tokens_per_second}};
  return record;
}

/// What the predicted time is made of; causes that cost nothing are for machines alone.
void add_terms(const TimeTerms& terms, std::vector<Field>& fields) {
  const auto add = [&](std::string_view cause, std::string_view label, Seconds time) {
    fields.push_back({.key = fmt::format("terms.{}_seconds", cause),
                      .label = time > Seconds{} ? fmt::format("  {}", label) : "",
                      .value = time});
  };
  add("weights", "weights", terms.weights);
  add("scales", "scales", terms.scales);
  add("kv", "KV cache", terms.kv);
  add("activations", "activations", terms.activations);
  add("compute", "compute", terms.compute);
  add("network", "network", terms.network);
  add("overhead", "overhead", terms.overhead);
}

Record phase_record(std::string key, std::string title, const PhaseForecast& phase,
                    const std::string& provenance) {
  Record record{.key = std::move(key), .title = std::move(title), .group = "Time"};
  record.fields = {{.key = "seconds", .label = "predicted", .value = phase.predicted}};
  add_terms(phase.terms, record.fields);
  const std::string limit(name(phase.limited_by()));
  const std::string band = band_text(phase.low, phase.high);
  const std::vector<Field> rest = {
      {.label = band.empty() ? "" : "80 % band", .value = band},
      {.key = "low_seconds", .value = phase.low},
      {.key = "high_seconds", .value = phase.high},
      {.key = "bound_seconds", .label = "bound", .value = phase.bound},
      {.key = "limited_by", .value = limit},
      {.label = "limited by",
       .value = fmt::format("{}, {}", limit, format_percent(phase.limiting_share()))},
      {.key = "mfu", .label = "MFU", .value = Share{phase.mfu()}},
      {.key = "mbu", .label = "MBU", .value = Share{phase.mbu()}},
      {.key = "flop", .label = "work", .value = phase.work},
      {.key = "bytes", .label = "weights and KV", .value = phase.bytes},
      {.key = "provenance", .value = provenance}};
  record.fields.insert(record.fields.end(), rest.begin(), rest.end());
  return record;
}

std::vector<Block> phase_records(const Forecast& forecast) {
  std::vector<Block> records;
  records.emplace_back(
      phase_record("prefill", "prefill", forecast.prefill, forecast.prefill_provenance));
  if (!forecast.decode) {
    records.emplace_back(Record{.fields = {{.key = "decode", .value = {}}}, .machine_only = true});
    return records;
  }
  Record decode =
      phase_record("decode", "mean decode step", *forecast.decode, forecast.decode_provenance);
  decode.fields.push_back({.key = "steps", .label = "steps", .value = forecast.decode_steps});
  records.emplace_back(std::move(decode));
  return records;
}

/// Where the times come from, and from which batch on decoding would be limited by compute.
Record basis(const Forecast& forecast) {
  Record record{.title = "Basis"};
  const bool same = !forecast.decode || forecast.decode_provenance == forecast.prefill_provenance;
  record.fields = {{.label = same ? "times" : "prefill", .value = forecast.prefill_provenance},
                   {.label = same ? "" : "decode", .value = forecast.decode_provenance}};
  record.fields.push_back({.key = "critical_batch", .value = forecast.critical_batch});
  record.fields.push_back({.label = "critical batch",
                           .value = std::llround(forecast.critical_batch),
                           .note = "sequences: from there compute limits the linear layers"});
  record.fields.push_back({.key = "level", .value = forecast.request.level});
  return record;
}

std::string limits_sentence(const Forecast& forecast) {
  const auto limit = [](const PhaseForecast& phase) {
    return fmt::format("limited by {} ({} of its time)", name(phase.limited_by()),
                       format_percent(phase.limiting_share()));
  };
  std::string sentence = "Prefill is " + limit(forecast.prefill);
  if (forecast.decode)
    sentence += ", decode is " + limit(*forecast.decode);
  return sentence + ".";
}

}  // namespace

Report build_estimate_report(const Forecast& forecast,
                             const std::vector<OperatorForecast>& operators) {
  const ForecastRequest& asked = forecast.request;
  const std::int64_t context = asked.workload.prompt + asked.workload.output;
  const RequestShown shown{asked.model,    asked.profile, asked.runtime,  asked.plan,
                           asked.workload, context,       asked.kv_block, asked.memory_fraction};
  Report report;
  report.command = "estimate";
  report.heading = request_heading(shown);
  report.subheading = {workload_line(shown) + " · level " + asked.level};
  report.alert = fit_alert(forecast.memory);
  report.blocks = request_records(shown);
  report.blocks.emplace_back(headline(forecast));
  for (Block& block : memory_records(forecast.memory, {.batch = asked.workload.batch,
                                                      .context = context,
                                                      .kv_block = asked.kv_block,
                                                      .made_for = asked.model->card.context,
                                                      .window = full_context(*asked.model),

                                                      .prompt = asked.workload.prompt,
                                                      .model = asked.model,
                                                      .runtime = asked.runtime,
                                                      .profile = asked.profile})) {
    report.blocks.push_back(std::move(block));
  }
  for (Block& block : phase_records(forecast))
    report.blocks.push_back(std::move(block));
  report.blocks.emplace_back(basis(forecast));
  for (Block& block : operator_grids(operators))
    report.blocks.push_back(std::move(block));
  add_warnings(report, forecast.warnings);
  const std::string fit = fit_sentence(forecast.memory);
  report.verdict = fit + (fit.empty() ? "" : " ") + limits_sentence(forecast);
  return report;
}

}  // namespace roofcast
