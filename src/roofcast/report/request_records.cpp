#include "roofcast/report/request_records.hpp"

#include "roofcast/model/parameter_count.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::int64_t kOneDevice = 1;

Record machine_record(std::string key, std::vector<Field> fields) {
  return {.key = std::move(key), .fields = std::move(fields), .machine_only = true};
}

Value text(std::string_view value) {
  return std::string(value);
}

Value capacity_or_null(const std::optional<Bytes>& size) {
  return size ? Value{Capacity{*size}} : Value{};
}

/// Shares of what the engine may take where a device is known, else of the total.
std::optional<double> share_of(Bytes part, const MemoryForecast& memory) {
  const Bytes whole = memory.usable.value_or(memory.total);
  if (whole <= Bytes{})
    return std::nullopt;
  return double(part / whole);
}

Field ledger_line(const MemoryForecast& memory, std::string key, std::string label, Bytes size,
                  std::string note = "") {
  return {.key = std::move(key),
          .label = std::move(label),
          .value = Capacity{size},
          .note = std::move(note),
          .share = share_of(size, memory)};
}

std::string scales_note(const MemoryForecast& memory) {
  if (memory.weight_scales <= Bytes{})
    return "";
  return "scales " + format_binary(memory.weight_scales);
}

std::string usable_note(const MemoryForecast& memory) {
  if (!memory.capacity || !memory.usable)
    return "";
  return fmt::format("{} of {}", format_percent(*memory.usable / *memory.capacity),
                     format_binary(*memory.capacity));
}

/// The step whose size the activations follow.
std::string activations_note(const RoomAsked& asked) {
  const ActivationStep step =
      activation_step(*asked.runtime, engine_limits(*asked.runtime, asked.profile), asked.batch,
                      std::min(asked.prompt, asked.context));
  if (step.tokens == 0)
    return "";
  const std::string tokens = format_count(step.tokens) + " tokens";
  return asked.runtime->sizing == StepSizing::as_run
             ? tokens + " in a step"
             : fmt::format("{} schedules {}", asked.runtime->name, tokens);
}

Record ledger(const MemoryForecast& memory, const RoomAsked& asked) {
  const std::int64_t batch = asked.batch;
  const std::int64_t context = asked.context;
  const std::string kv_note =
      batch == 1 ? fmt::format("{} tokens", format_count(context))
                 : fmt::format("{} x {} tokens", format_count(batch), format_count(context));
  Record record{.key = "memory",
                .title = memory.usable ? "Memory, with shares of what is usable" : "Memory"};
  record.fields = {
      ledger_line(memory, "weights_bytes", "weights", memory.weights, scales_note(memory)),
      {.key = "weight_scale_bytes", .value = Capacity{memory.weight_scales}},
      {.key = "kv_bytes_per_token", .value = memory.kv_per_token},
      ledger_line(memory, "kv_cache_bytes", "KV cache", memory.kv_cache, kv_note),
      {.key = "state_bytes", .value = Capacity{memory.state}},
      ledger_line(memory, "activation_bytes", "activations", memory.activations,
                  activations_note(asked)),
      ledger_line(memory, "runtime_bytes", "runtime", memory.runtime),
      ledger_line(memory, "total_bytes", "total", memory.total),
      {.key = "usable_bytes",
       .label = memory.usable ? "usable" : "",
       .value = capacity_or_null(memory.usable),
       .note = usable_note(memory)},
      {.key = "capacity_bytes", .value = capacity_or_null(memory.capacity)},
      {.key = "fits", .value = value_or_null(memory.fits)}};
  if (memory.state > Bytes{})
    record.fields[4] = ledger_line(memory, "state_bytes", "state", memory.state);
  return record;
}

/// What the context may grow to, and what the model itself was made for.
std::string context_note(const MemoryForecast& memory, const RoomAsked& asked) {
  const std::int64_t most = memory.max_context.value_or(0);
  std::string note = fmt::format("tokens at batch {}", format_count(asked.batch));
  if (most > asked.made_for)
    note += fmt::format("; made for {}", format_count(asked.made_for));
  return note;
}

/// A count that the memory limits, or words where it does not; people see nothing of it without a
/// device.
void add_inverse(Record& record, const MemoryForecast& memory, Field field,
                 const std::optional<std::int64_t>& most, std::string unlimited) {
  field.value = value_or_null(most);
  const std::string label = std::exchange(field.label, memory.usable && most ? field.label : "");
  record.fields.push_back(std::move(field));
  if (memory.usable && !most)
    record.fields.push_back({.label = label, .value = std::move(unlimited)});
}

/// Engines quote the tokens that all layers hold; layers with a window keep fewer, so that more
/// sequences fit than these tokens divided by their length.
std::string kv_room_note(const RoomAsked& asked) {
  return fmt::format("tokens, {}blocks of {}",
                     has_window(*asked.model) ? "if every layer kept every token, " : "",
                     format_count(asked.kv_block));
}

Record room(const MemoryForecast& memory, const RoomAsked& asked) {
  Record record{.key = "memory"};
  const std::string batches =
      fmt::format("not limited by memory up to {}", format_count(kMaxSequences));
  const std::string tokens =
      asked.window ? fmt::format("not limited by memory (window {})", format_count(*asked.window))
                   : fmt::format("not limited by memory up to {}", format_count(kMaxTokens));
  add_inverse(record, memory,
              {.key = "max_batch",
               .label = "largest batch",
               .note = fmt::format("sequences of {} tokens", format_count(asked.context))},
              memory.max_batch, batches);
  add_inverse(
      record, memory,
      {.key = "max_context", .label = "longest context", .note = context_note(memory, asked)},
      memory.max_context, tokens);
  record.fields.push_back({.key = "kv_capacity_tokens",
                           .label = memory.usable ? "room for KV" : "",
                           .value = value_or_null(memory.kv_capacity_tokens),
                           .note = kv_room_note(asked)});
  record.fields.push_back({.label = "KV growth", .value = memory.kv_per_token});
  return record;
}

}  // namespace

std::vector<Block> request_records(const RequestShown& request) {
  const ModelCard& card = request.model->card;
  const ParameterCount parameters = count_parameters(*request.model);
  std::vector<Block> blocks;
  blocks.emplace_back(
      machine_record("model", {{.key = "name", .value = card.name},
                               {.key = "family", .value = card.family},
                               {.key = "parameters.total", .value = parameters.total},
                               {.key = "parameters.active", .value = parameters.active},
                               {.key = "parameters.embedding", .value = parameters.embedding},
                               {.key = "layers", .value = card.layers},
                               {.key = "context", .value = card.context}}));
  blocks.emplace_back(machine_record(
      "hardware",
      {{.key = "name", .value = request.profile ? Value{request.profile->name} : Value{}},
       {.key = "count", .value = request.profile ? Value{kOneDevice} : Value{}}}));
  blocks.emplace_back(machine_record(
      "scheme", {{.key = "weights", .value = text(request.plan.weights->name)},
                 {.key = "activations", .value = text(request.plan.activations->name)},
                 {.key = "kv", .value = text(request.plan.kv->name)},
                 {.key = "embedding", .value = text(request.plan.embedding->name)},
                 {.key = "head", .value = text(request.plan.head->name)}}));
  blocks.emplace_back(
      machine_record("workload", {{.key = "batch", .value = request.workload.batch},
                                  {.key = "prompt_tokens", .value = request.workload.prompt},
                                  {.key = "output_tokens", .value = request.workload.output},
                                  {.key = "context_tokens", .value = request.context}}));
  blocks.emplace_back(machine_record("layout", {{.key = "tp", .value = kOneDevice},
                                                {.key = "pp", .value = kOneDevice},
                                                {.key = "ep", .value = kOneDevice},
                                                {.key = "dp", .value = kOneDevice}}));
  blocks.emplace_back(
      machine_record("", {{.key = "runtime", .value = text(request.runtime->name)},
                          {.key = "kv_block", .value = request.kv_block},
                          {.key = "memory_fraction", .value = request.memory_fraction}}));
  return blocks;
}

std::string request_heading(const RequestShown& request) {
  std::string heading = fmt::format("{}, {}", request.model->card.name, scheme_name(request.plan));
  // Left alone, both stay in the 16-bit format of the norms.
  const std::string_view usual = request.plan.small->name;
  const std::string_view embedding = request.plan.embedding->name;
  const std::string_view head = request.plan.head->name;
  if (embedding != usual && embedding == head)
    heading += fmt::format(", embedding and head {}", embedding);
  else if (embedding != usual)
    heading += fmt::format(", embedding {}", embedding);
  if (head != usual && head != embedding)
    heading += fmt::format(", head {}", head);
  if (request.profile != nullptr)
    heading += ", on " + request.profile->name;
  return heading;
}

std::string workload_line(const RequestShown& request) {
  const Workload& workload = request.workload;
  return fmt::format("batch {} · prompt {} · output {} · runtime {}", format_count(workload.batch),
                     format_count(workload.prompt), format_count(workload.output),
                     request.runtime->name);
}

std::optional<std::int64_t> window_of(const LayerGroup& group) {
  for (const Module& module : group.modules) {
    if (module.kind == ModuleKind::attention)
      return module.attention.window;
  }
  return std::nullopt;
}

bool has_window(const Model& model) {
  return std::any_of(model.groups.begin(), model.groups.end(),
                     [](const LayerGroup& group) { return window_of(group).has_value(); });
}

std::vector<Block> memory_records(const MemoryForecast& memory, const RoomAsked& asked) {
  return {ledger(memory, asked), room(memory, asked)};
}

std::string fit_alert(const MemoryForecast& memory) {
  if (memory.fits.value_or(true) || !memory.usable)
    return "";
  return fmt::format("DOES NOT FIT: {} of {} usable", format_binary(memory.total),
                     format_binary(*memory.usable));
}

std::string fit_sentence(const MemoryForecast& memory) {
  if (!memory.fits || !memory.usable)
    return "";
  if (*memory.fits)
    return fmt::format("Fits, with {} to spare.", format_binary(*memory.usable - memory.total));
  return fmt::format("Does not fit: {} too much.", format_binary(memory.total - *memory.usable));
}

void add_warnings(Report& report, const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) {
    report.notes.push_back({std::string(name(warning.kind)), warning.message});
  }
}

}  // namespace roofcast
