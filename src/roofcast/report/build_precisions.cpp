#include "roofcast/report/build_lists.hpp"
#include "roofcast/report/matching.hpp"
#include "roofcast/units/format.hpp"

#include <string>

namespace roofcast {
namespace {

std::string kind_name(FormatKind kind) {
  switch (kind) {
    case FormatKind::floating:
      return "floating point";
    case FormatKind::integer:
      return "integer";
    case FormatKind::microscaling:
      return "microscaling";
    case FormatKind::weight_only:
      return "weight-only";
    case FormatKind::gguf:
      return "GGUF";
  }
  return "";
}

std::vector<std::string> aliases_of(const NumberFormat& format) {
  return {format.aliases.begin(), format.aliases.end()};
}

std::vector<std::string> paths_of(const NumberFormat& format) {
  std::vector<std::string> names;
  for (const ComputePath path : format.paths)
    names.emplace_back(name(path));
  return names;
}

bool matches(const NumberFormat& format, std::string_view filter) {
  std::vector<std::string> texts = aliases_of(format);
  texts.emplace_back(format.name);
  texts.emplace_back(format.title);
  texts.push_back(kind_name(format.kind));
  return any_contains(texts, filter);
}

/// "32 elements", "128 x 128 elements"; empty for formats without blocks.
std::string block_text(const NumberFormat& format) {
  if (format.block_elements <= 1)
    return "";
  const std::string side = format_count(format.block_elements);
  return format.layout == BlockLayout::tile ? side + " x " + side : side;
}

/// Bits that one block spends on scales and the like; nothing for plain formats.
Value overhead_of(const NumberFormat& format) {
  return format.overhead_bits == 0 ? Value{} : Value{format.overhead_bits};
}

}  // namespace

Report build_precisions_report(std::string_view filter) {
  Grid grid;
  grid.columns = {{.key = "name", .label = "name", .left = true},
                  {.key = "title", .label = "format", .left = true},
                  {.key = "kind", .label = "kind", .left = true},
                  {.key = "element_bits", .label = "element bits"},
                  {.key = "effective_bits", .label = "with scales"},
                  {.key = "block_elements", .label = "block", .wide_only = true},
                  {.key = "overhead_bits_per_block", .label = "bits of scales", .wide_only = true},
                  {.key = "paths", .label = "computes on", .left = true, .wide_only = true},
                  {.key = "native_operand", .label = ""}};
  for (const NumberFormat& format : number_formats()) {
    if (!matches(format, filter))
      continue;
    grid.rows.push_back({std::string(format.name), std::string(format.title),
                         kind_name(format.kind), format.element_bits, effective_bits(format),
                         format.block_elements, overhead_of(format), paths_of(format),
                         format.native_operand});
  }
  Report report;
  report.command = "precisions";
  report.heading = "Number formats";
  report.blocks.emplace_back(std::move(grid));
  return report;
}

Report build_precision_report(const NumberFormat& format) {
  Record storage{.key = "storage", .title = "Storage", .fields = {}, .group = ""};
  storage.fields = {
      {.key = "element_bits", .label = "bits per element", .value = format.element_bits},
      {.key = "effective_bits", .label = "with scales", .value = effective_bits(format)}};
  if (format.block_elements > 1) {
    storage.fields.push_back(
        {.key = "", .label = "elements per block", .value = block_text(format)});
    storage.fields.push_back({.key = "overhead_bits_per_block",
                              .label = "bits of scales per block",
                              .value = format.overhead_bits});
  }
  storage.fields.push_back({.key = "block_elements", .label = "", .value = format.block_elements});
  storage.fields.push_back(
      {.key = "payload_bits_per_block", .label = "", .value = format.payload_bits});
  if (format.group_blocks > 0) {
    storage.fields.push_back({.key = "group_blocks",
                              .label = "blocks per second-level scale",
                              .value = format.group_blocks});
    storage.fields.push_back(
        {.key = "group_bits", .label = "bits of that scale", .value = format.group_bits});
  }
  if (format.tensor_bits > 0) {
    storage.fields.push_back(
        {.key = "tensor_bits", .label = "bits per tensor", .value = format.tensor_bits});
  }
  Record compute{.key = "", .title = "Computation", .fields = {}, .group = ""};
  compute.fields = {{.key = "paths", .label = "paths, best first", .value = paths_of(format)},
                    {.key = "native_operand",
                     .label = "operand of a native product",
                     .value = format.native_operand,
                     .note = format.native_operand ? "" : "expanded on the fly"}};
  Record names{.key = "", .title = "", .fields = {}, .group = ""};
  names.fields = {{.key = "name", .label = "", .value = std::string(format.name)},
                  {.key = "title", .label = "", .value = std::string(format.title)},
                  {.key = "kind", .label = "kind", .value = kind_name(format.kind)},
                  {.key = "aliases", .label = "also called", .value = aliases_of(format)},
                  {.key = "source", .label = "source", .value = std::string(format.source)}};
  Report report;
  report.command = "precisions";
  report.heading = std::string(format.name) + ": " + std::string(format.title);
  report.blocks = {std::move(names), std::move(storage), std::move(compute)};
  return report;
}

}  // namespace roofcast
