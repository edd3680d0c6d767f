#include "roofcast/cost/roofline.hpp"
#include "roofcast/report/build_lists.hpp"
#include "roofcast/report/matching.hpp"
#include "roofcast/units/format.hpp"

#include <string>

#include <fmt/format.h>

namespace roofcast {
namespace {

Value capacity_or_null(const std::optional<Bytes>& size) {
  return size ? Value{Capacity{*size}} : Value{};
}

Value text(std::string_view value) {
  return std::string(value);
}

bool matches(const HardwareProfile& profile, std::string_view filter) {
  std::vector<std::string> texts = profile.aliases;
  texts.push_back(profile.name);
  texts.push_back(profile.title);
  texts.push_back(profile.vendor);
  texts.push_back(profile.architecture);
  return any_contains(texts, filter);
}

/// The faster of FP16 and BF16 on tensor units, else vectors: the 16-bit roof of the list.
std::optional<FlopsPerSecond> sixteen_bit_peak(const HardwareProfile& profile) {
  for (const ComputePath path : {ComputePath::bf16_tensor, ComputePath::fp16_tensor,
                                 ComputePath::bf16_vector, ComputePath::fp16_vector}) {
    if (profile.peak(path))
      return profile.peak(path);
  }
  return std::nullopt;
}

Value bandwidth_or_null(const HardwareProfile& profile) {
  const bool stated = profile.memory.bandwidth > BytesPerSecond{};
  return stated ? Value{profile.memory.bandwidth} : Value{};
}

Record memory_record(const HardwareProfile& profile) {
  const HardwareProfile::Memory& memory = profile.memory;
  Record record{.key = "memory", .title = "Memory"};
  record.fields = {
      {.key = "capacity_bytes", .label = "usable", .value = capacity_or_null(memory.capacity)},
      {.key = "marketed_bytes",
       .label = "marketed",
       .value = value_or_null(memory.marketed),
       .note = memory.type},
      {.key = "type", .value = memory.type},
      {.key = "bandwidth_bytes_per_second",
       .label = "bandwidth",
       .value = bandwidth_or_null(profile)},
  };
  return record;
}

/// Peaks with the intensity from which on they, and not the memory, limit.
Grid peak_grid(const HardwareProfile& profile) {
  Grid grid{.key = "peaks",
            .title = "Dense peaks",
            .columns = {{.key = "path", .label = "path", .left = true},
                        {.key = "peak_per_second", .label = "peak"},
                        {.key = "ridge_flop_per_byte", .label = "ridge point"}},
            .details = true};
  for (std::size_t i = 0; i < kComputePaths; ++i) {
    const auto path = static_cast<ComputePath>(i);
    const std::optional<FlopsPerSecond> peak = profile.peak(path);
    if (profile.is_unpublished(path))
      grid.rows.push_back({text(name(path)), Value{}, Value{}});
    if (!peak)
      continue;
    const bool has_ridge = profile.memory.bandwidth > BytesPerSecond{};
    grid.rows.push_back(
        {text(name(path)), *peak,
         has_ridge ? Value{ridge_point(*peak, profile.memory.bandwidth)} : Value{}});
  }
  return grid;
}

Record device_record(const HardwareProfile& profile) {
  Record record;
  record.fields = {
      {.key = "name", .value = profile.name},
      {.key = "title", .value = profile.title},
      {.key = "vendor", .label = "vendor", .value = profile.vendor},
      {.key = "architecture", .label = "architecture", .value = profile.architecture},
      {.key = "compute_capability",
       .label = profile.compute_capability.empty() ? "" : "capability",
       .value = profile.compute_capability},
      {.key = "released",
       .label = profile.released > 0 ? "released" : "",
       .value = profile.released > 0 ? Value{fmt::format("{}", profile.released)} : Value{}},
      {.key = "status", .label = "figures are", .value = text(name(profile.status))},
      {.key = "aliases", .label = "also called", .value = profile.aliases}};
  return record;
}

Record chip_record(const HardwareProfile& profile) {
  Record record{.title = "Chip"};
  const bool counted = profile.processors.count > 0;
  const std::optional<Bytes>& cache = profile.memory.l2;
  record.fields = {{.key = "processors",
                    .label = counted ? "processors" : "",
                    .value = counted ? Value{profile.processors.count} : Value{}},
                   {.key = "clock_hertz",
                    .label = profile.processors.clock ? "clock of the peaks" : "",
                    .value = value_or_null(profile.processors.clock)},
                   {.key = "memory.l2_bytes",
                    .label = cache ? "last-level cache" : "",
                    .value = capacity_or_null(cache)},
                   {.key = "power_watts",
                    .label = profile.power ? "power" : "",
                    .value = value_or_null(profile.power)}};
  return record;
}

Grid link_grid(const HardwareProfile& profile) {
  Grid grid{.key = "links",
            .title = "Links",
            .columns = {{.key = "kind", .label = "link", .left = true},
                        {.key = "name", .label = "sold as", .left = true},
                        {.key = "generation", .label = "generation"},
                        {.key = "lanes", .label = "lanes"},
                        {.key = "per_direction_bytes_per_second", .label = "each direction"},
                        {.key = "caveat", .label = "caveat", .left = true, .wide_only = true}},
            .details = true};
  const auto known = [](std::int64_t count) { return count > 0 ? Value{count} : Value{}; };
  for (const Link& link : profile.links) {
    grid.rows.push_back({link.kind, link.name, known(link.generation), known(link.lanes),
                         value_or_null(link.per_direction), link.caveat});
  }
  return grid;
}

/// Peaks that are not units x clock x operations are shown with the reason, never passed over.
std::string exemption_note(const PeakExemption& exemption) {
  std::vector<std::string> paths;
  for (const ComputePath path : exemption.paths)
    paths.emplace_back(name(path));
  return "Not reproduced by processors x clock (" + (paths.empty() ? "all peaks" : joined(paths)) +
         "): " + exemption.why + ".";
}

/// Peaks that the file says nobody states: why they are empty, and what follows.
std::string unpublished_note(const HardwareProfile& profile) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < kComputePaths; ++i) {
    if (profile.unpublished[i])
      paths.emplace_back(kComputePathNames[i]);
  }
  if (paths.empty())
    return "";
  return "Natively there, but no peak is published: " + joined(paths) +
         ". Products that run there are refused; a copy of the profile with measured or quoted "
         "peaks would answer.";
}

std::vector<Block> source_grids(const HardwareProfile& profile) {
  Grid sources{.key = "sources",
               .title = "Sources",
               .columns = {{.key = "id", .label = "id", .left = true},
                           {.key = "title", .label = "title", .left = true},
                           {.key = "publisher", .label = "publisher", .left = true},
                           {.key = "where", .label = "where", .left = true}},
               .details = true};
  for (const ProfileSource& source : profile.sources) {
    sources.rows.push_back({source.id, source.title, source.publisher, source.where});
  }
  Grid provenance{.key = "provenance",
                  .title = "Which number comes from where; * is all others",
                  .columns = {{.key = "path", .label = "number", .left = true},
                              {.key = "source", .label = "source", .left = true}},
                  .details = true};
  for (const auto& [path, source] : profile.provenance)
    provenance.rows.push_back({path, source});
  return {std::move(sources), std::move(provenance)};
}

}  // namespace

Report build_hardware_list_report(const std::vector<HardwareProfile>& profiles,
                                  std::string_view filter) {
  Grid grid{
      .columns = {{.key = "name", .label = "device", .left = true},
                  {.key = "architecture", .label = "architecture", .left = true, .wide_only = true},
                  {.key = "capacity_bytes", .label = "usable memory", .unit = "GiB"},
                  {.key = "bandwidth_bytes_per_second", .label = "bandwidth", .unit = "TB/s"},
                  {.key = "peak_16_bit_per_second", .label = "16-bit peak", .unit = "TFLOP/s"},
                  {.key = "peak_fp8_per_second", .label = "FP8 peak", .unit = "TFLOP/s"},
                  {.key = "peak_int8_per_second",
                   .label = "INT8 peak",
                   .wide_only = true,
                   .unit = "TFLOP/s"},
                  {.key = "power_watts", .label = "power", .wide_only = true, .unit = "W"},
                  {.key = "status", .label = "figures", .left = true}}};
  for (const HardwareProfile& profile : profiles) {
    if (!matches(profile, filter))
      continue;
    grid.rows.push_back({profile.name, profile.architecture,
                         capacity_or_null(profile.memory.capacity), bandwidth_or_null(profile),
                         value_or_null(sixteen_bit_peak(profile)),
                         value_or_null(profile.peak(ComputePath::fp8_tensor)),
                         value_or_null(profile.peak(ComputePath::int8_tensor)),
                         value_or_null(profile.power), text(name(profile.status))});
  }
  Report report{.command = "hardware", .heading = "Devices, peaks dense"};
  report.blocks.emplace_back(std::move(grid));
  return report;
}

Report build_hardware_report(const HardwareProfile& profile, bool sources) {
  Report report{.command = "hardware",
                .heading = profile.title.empty() ? profile.name : profile.title};
  report.subheading = {profile.name};
  report.blocks = {device_record(profile), memory_record(profile), peak_grid(profile),
                   chip_record(profile)};
  if (!profile.links.empty())
    report.blocks.emplace_back(link_grid(profile));
  if (sources) {
    for (Block& block : source_grids(profile))
      report.blocks.push_back(std::move(block));
  }
  if (std::string note = unpublished_note(profile); !note.empty())
    report.notes.push_back({"", std::move(note)});
  if (profile.exemption)
    report.notes.push_back({"", exemption_note(*profile.exemption)});
  for (const std::string& caveat : profile.caveats)
    report.notes.push_back({"", caveat});
  return report;
}

}  // namespace roofcast
