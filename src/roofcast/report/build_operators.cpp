#include "roofcast/report/build_operators.hpp"

#include <algorithm>
#include <string>

namespace roofcast {
namespace {

std::string_view phase_name(Phase phase) {
  return phase == Phase::prefill ? "prefill" : "decode";
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

std::vector<Column> operator_columns() {
  return {{.key = "phase"},
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
          {.key = "limited_by", .label = "limited by", .left = true}};
}

/// All runs of the step together.
std::vector<Value> operator_row(const OperatorForecast& forecast) {
  const Operator& op = forecast.op;
  const auto runs = static_cast<double>(op.repeat);
  const bool has_intensity = op.work > Flops{} && op.bytes() > Bytes{};
  return {std::string(phase_name(forecast.phase)),
          std::string(op.name),
          std::string(kind_name(op.kind)),
          op.repeat,
          runs * op.work,
          runs * op.bytes(),
          runs * (op.weights + op.scales),
          runs * op.kv,
          runs * op.activations,
          has_intensity ? Value{FlopsPerByte(op.work / op.bytes())} : Value{},
          runs * forecast.bound,
          runs * forecast.predicted,
          std::string(name(forecast.limited_by))};
}

Grid grid_for_people(const std::vector<OperatorForecast>& operators, Phase phase,
                     std::string title) {
  Grid grid{.key = "", .title = std::move(title), .columns = operator_columns()};
  for (const OperatorForecast& each : operators) {
    if (each.phase != phase)
      continue;
    grid.rows.push_back(operator_row(each));
    // What costs nothing is limited by nothing.
    if (each.predicted == Seconds{})
      grid.rows.back().back() = Value{};
  }
  return grid;
}

}  // namespace

std::vector<Block> operator_grids(const std::vector<OperatorForecast>& operators) {
  if (operators.empty())
    return {};
  Grid all{.key = "operators", .columns = operator_columns()};
  for (Column& column : all.columns)
    column.label.clear();
  for (const OperatorForecast& each : operators)
    all.rows.push_back(operator_row(each));
  std::vector<Block> blocks;
  blocks.emplace_back(std::move(all));
  blocks.emplace_back(
      grid_for_people(operators, Phase::prefill, "Operators of the prefill, all runs together"));
  Grid decode = grid_for_people(operators, Phase::decode,
                                "Operators of the mean decode step, all runs together");
  if (!decode.rows.empty())
    blocks.emplace_back(std::move(decode));
  return blocks;
}

}  // namespace roofcast
