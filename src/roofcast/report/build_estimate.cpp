#include "roofcast/report/build_report.hpp"
#include "roofcast/report/request_records.hpp"
#include "roofcast/units/format.hpp"

#include <fmt/format.h>

namespace roofcast {
namespace {

std::string band_text(Seconds low, Seconds high) {
  return format(low) + " to " + format(high);
}

std::string phase_band(const std::optional<PhaseForecast>& phase) {
  return phase ? band_text(phase->low, phase->high) : "";
}

/// The three times and the rate that the question was about.
Record headline(const Forecast& forecast) {
  const bool several = forecast.request.workload.batch > 1;
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
       .label = several ? "decode, all sequences" : "decode",
       .value = value_or_null(forecast.tokens_per_second)},
      {.key = "tokens_per_second_per_sequence",
       .label = several ? "each sequence" : "",
       .value = value_or_null(forecast.tokens_per_second_per_sequence)},
      {.key = "request_tokens_per_second", .value = forecast.request_tokens_per_second}};
  return record;
}

std::vector<Field> phase_fields(const PhaseForecast& phase, const std::string& provenance) {
  const TimeTerms& terms = phase.terms;
  return {{.key = "seconds", .label = "predicted", .value = phase.predicted},
          {.key = "", .label = "80 % band", .value = band_text(phase.low, phase.high)},
          {.key = "bound_seconds", .label = "bound", .value = phase.bound},
          {.key = "low_seconds", .value = phase.low},
          {.key = "high_seconds", .value = phase.high},
          {.key = "limited_by",
           .label = "limited by",
           .value = std::string(name(phase.limited_by())),
           .note = format_percent(phase.limiting_share())},
          {.key = "mfu", .label = "MFU", .value = Share{phase.mfu()}},
          {.key = "mbu", .label = "MBU", .value = Share{phase.mbu()}},
          {.key = "flop", .label = "work", .value = phase.work},
          {.key = "bytes", .label = "weights and KV read", .value = phase.bytes},
          {.key = "provenance", .value = provenance},
          {.key = "terms.weights_seconds", .value = terms.weights},
          {.key = "terms.scales_seconds", .value = terms.scales},
          {.key = "terms.kv_seconds", .value = terms.kv},
          {.key = "terms.activations_seconds", .value = terms.activations},
          {.key = "terms.compute_seconds", .value = terms.compute},
          {.key = "terms.network_seconds", .value = terms.network},
          {.key = "terms.overhead_seconds", .value = terms.overhead}};
}

std::vector<Block> phase_records(const Forecast& forecast) {
  Record prefill{.key = "prefill", .title = "prefill", .group = "Time"};
  prefill.fields = phase_fields(forecast.prefill, forecast.prefill_provenance);
  if (!forecast.decode) {
    return {prefill, Record{.fields = {{.key = "decode", .value = {}}}, .machine_only = true}};
  }
  Record decode{.key = "decode", .title = "mean decode step", .group = "Time"};
  decode.fields = phase_fields(*forecast.decode, forecast.decode_provenance);
  decode.fields.push_back({.key = "steps", .label = "steps", .value = forecast.decode_steps});
  return {prefill, decode};
}

/// Where the times come from, and from which batch on decoding would be limited by compute.
Record basis(const Forecast& forecast) {
  Record record{.title = "Basis"};
  record.fields = {{.key = "", .label = "prefill", .value = forecast.prefill_provenance}};
  if (forecast.decode) {
    record.fields.push_back({.key = "", .label = "decode", .value = forecast.decode_provenance});
  }
  record.fields.push_back({.key = "critical_batch",
                           .label = "critical batch",
                           .value = forecast.critical_batch,
                           .note = "sequences; beyond, compute limits the linear layers"});
  record.fields.push_back({.key = "level", .value = forecast.request.level});
  return record;
}

std::string_view kind_name(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::gemm:
      return "gemm";
    case OperatorKind::attention_prefill:
      return "attention_prefill";
    case OperatorKind::attention_decode:
      return "attention_decode";
    case OperatorKind::stream:
      return "stream";
    case OperatorKind::quantise:
      return "quantise";
  }
  return "";
}

Grid operator_grid(const Forecast& forecast, const OperatorTable& operators) {
  Grid grid{
      .key = "operators",
      .title = fmt::format("Operators, all runs of a step together; decode at {} tokens of context",
                           format_count(operators.decode_context)),
      .columns = {{.key = "phase", .label = "phase", .left = true},
                  {.key = "name", .label = "operator", .left = true},
                  {.key = "kind", .label = "kind", .left = true, .wide_only = true},
                  {.key = "count", .label = "runs"},
                  {.key = "flop", .label = "work"},
                  {.key = "bytes", .label = "weights, KV"},
                  {.key = "weight_bytes", .label = "weights", .wide_only = true},
                  {.key = "kv_bytes", .label = "KV", .wide_only = true},
                  {.key = "activation_bytes", .label = "activations", .wide_only = true},
                  {.key = "intensity", .label = "intensity"},
                  {.key = "bound_seconds", .label = "bound"},
                  {.key = "seconds", .label = "predicted"},
                  {.key = "limited_by", .label = "limited by", .left = true}}};
  for (const OperatorForecast& each : operators.rows) {
    if (each.phase == Phase::decode && !forecast.decode)
      continue;
    const Operator& op = each.op;
    const double runs = static_cast<double>(op.repeat);
    const bool has_work = op.work > Flops{} && op.bytes() > Bytes{};
    grid.rows.push_back(
        {std::string(each.phase == Phase::prefill ? "prefill" : "decode"), std::string(op.name),
         std::string(kind_name(op.kind)), op.repeat, runs * op.work, runs * op.bytes(),
         runs * (op.weights + op.scales), runs * op.kv, runs * op.activations,
         has_work ? Value{FlopsPerByte(op.work / op.bytes())} : Value{}, runs * each.bound,
         runs * each.predicted, std::string(name(each.limited_by))});
  }
  return grid;
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

Report build_estimate_report(const Forecast& forecast, const OperatorTable& operators) {
  const ForecastRequest& asked = forecast.request;
  const std::int64_t context = asked.workload.prompt + asked.workload.output;
  const RequestShown shown{asked.model, asked.profile,  asked.runtime,
                           asked.plan,  asked.workload, context};
  Report report;
  report.command = "estimate";
  report.heading = request_heading(shown);
  report.subheading = {workload_line(shown) + " · level " + asked.level};
  report.blocks = request_records(shown);
  report.blocks.emplace_back(headline(forecast));
  for (Block& block :
       memory_records(forecast.memory, asked.workload.batch, context, asked.kv_block)) {
    report.blocks.push_back(std::move(block));
  }
  for (Block& block : phase_records(forecast))
    report.blocks.push_back(std::move(block));
  report.blocks.emplace_back(basis(forecast));
  if (!operators.rows.empty())
    report.blocks.emplace_back(operator_grid(forecast, operators));
  add_warnings(report, forecast.warnings);
  const std::string fit = fit_sentence(forecast.memory);
  report.verdict = fit + (fit.empty() ? "" : " ") + limits_sentence(forecast);
  return report;
}

}  // namespace roofcast
