#include "roofcast/hw/hardware_profile.hpp"

#include "roofcast/base/spelling.hpp"
#include "roofcast/hw/peak_check.hpp"
#include "roofcast/hw/provenance.hpp"
#include "roofcast/input/field_reader.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::string_view kSchema = "roofcast/hardware/1";
constexpr std::array<std::string_view, 1> kSchemas = {kSchema};

constexpr std::array<std::string_view, 11> kLinkKinds = {
    "nvlink",          "xgmi",    "pcie",     "c2c",  "ici",        "neuronlink",
    "infinity_fabric", "xe_link", "ethernet", "hccs", "unified_bus"};

// Far outside what exists: a number beyond is a slip of unit or prefix. On-chip memory is apart,
// because a wafer of it moves 21 PB/s and the fastest stack of DRAM 0.02 PB/s.
constexpr Bytes kLeastCapacity = bytes(100e6);
constexpr Bytes kMostCapacity = bytes(16e12);
constexpr Bytes kLeastCache = bytes(16e3);
constexpr Bytes kMostCache = bytes(1e12);
constexpr BytesPerSecond kLeastBandwidth = bytes(1e9) / seconds(1.0);
constexpr BytesPerSecond kMostBandwidth = bytes(1e14) / seconds(1.0);
constexpr BytesPerSecond kMostOnChipBandwidth = bytes(1e17) / seconds(1.0);
constexpr BytesPerSecond kMostLinkBandwidth = bytes(1e13) / seconds(1.0);
constexpr FlopsPerSecond kLeastPeak = flops(1e9) / seconds(1.0);
constexpr FlopsPerSecond kMostPeak = flops(1e18) / seconds(1.0);
constexpr Hertz kLeastClock = 1e8 / seconds(1.0);
constexpr Hertz kMostClock = 1e10 / seconds(1.0);
constexpr Watts kLeastPower = Watts::from_value(1.0);
constexpr Watts kMostPower = Watts::from_value(1e5);
constexpr std::int64_t kMostProcessors = 10'000'000;

/// A marketed "80 GB" may be 80 GiB, never more.
constexpr double kBinaryOverDecimal = 1073741824.0 / 1e9;

/// Keeps a quantity that a device can have; reports another and drops it.
template <class Quantity>
std::optional<Quantity> in_range(FieldReader& fields, std::string_view key,
                                 std::optional<Quantity> value, Quantity low, Quantity high) {
  if (!value || (*value >= low && *value <= high))
    return value;
  fields.problem(key, fmt::format("'{}' must be from {} to {} on a device, got {}", key,
                                  format(low), format(high), format(*value)));
  return std::nullopt;
}

void read_identity(FieldReader& root, HardwareProfile& profile) {
  root.choice("schema", kSchemas);
  profile.name = root.text("name");
  profile.aliases = root.optional_texts("aliases");
  profile.vendor = root.text("vendor");
  profile.title = root.optional_text("title").value_or(profile.name);
  profile.architecture = root.text("architecture");
  profile.compute_capability = root.optional_text("compute_capability").value_or("");
  profile.released = root.optional_count("released", 1990, 2100).value_or(0);
  const auto status = root.optional_choice("status", kProfileStatusNames);
  for (std::size_t i = 0; i < kProfileStatusNames.size(); ++i) {
    if (status == kProfileStatusNames[i])
      profile.status = static_cast<ProfileStatus>(i);
  }
  profile.power = in_range(root, "power", root.optional_power("power"), kLeastPower, kMostPower);
  profile.caveats = root.optional_texts("caveats");
}

/// The word for a number that exists and that nobody states.
bool is_unpublished(const Node& node) {
  return node.kind == Node::Kind::scalar && node.scalar == "unpublished";
}

/// Required, but the word `unpublished` is an answer: leaving it out could be an oversight.
void read_bandwidth(FieldReader& memory, HardwareProfile::Memory& result) {
  const Node* node = memory.node("bandwidth");
  if (!node) {
    memory.bandwidth("bandwidth");  // reports that it is missing
    return;
  }
  if (is_unpublished(*node))
    return;
  const BytesPerSecond most = result.type == "SRAM" ? kMostOnChipBandwidth : kMostBandwidth;
  result.bandwidth =
      in_range(memory, "bandwidth", memory.optional_bandwidth("bandwidth"), kLeastBandwidth, most)
          .value_or(BytesPerSecond{});
}

void read_memory(FieldReader& memory, HardwareProfile::Memory& result) {
  result.type = memory.optional_text("type").value_or("");
  result.capacity = in_range(memory, "capacity", memory.optional_bytes("capacity"), kLeastCapacity,
                             kMostCapacity);
  result.marketed = in_range(memory, "marketed", memory.optional_bytes("marketed"), kLeastCapacity,
                             kMostCapacity);
  result.l2 = in_range(memory, "l2", memory.optional_bytes("l2"), kLeastCache, kMostCache);
  read_bandwidth(memory, result);
  if (result.capacity && result.marketed &&
      *result.capacity > kBinaryOverDecimal * *result.marketed) {
    memory.problem("capacity", fmt::format("usable memory {} is more than the {} that is sold",
                                           format(*result.capacity), format(*result.marketed)));
  }
}

void read_processors(FieldReader& fields, HardwareProfile::Processors& result) {
  constexpr std::array<std::string_view, 2> kRates = {"full", "half"};
  result.count = fields.optional_count("count", 1, kMostProcessors).value_or(0);
  result.clock = in_range(fields, "clock", fields.optional_clock("clock"), kLeastClock, kMostClock);
  result.half_accumulate = fields.optional_choice("fp32_accumulate", kRates) == "half";
}

bool ends_with_unit(const Node* node, std::string_view unit) {
  if (!node || node->scalar.size() <= unit.size())
    return false;
  const std::string_view tail =
      std::string_view(node->scalar).substr(node->scalar.size() - unit.size());
  return tail == unit;
}

void read_compute(FieldReader& compute, HardwareProfile& profile) {
  for (std::size_t i = 0; i < kComputePaths; ++i) {
    const auto path = static_cast<ComputePath>(i);
    const Node* node = compute.node(name(path));
    if (!node)
      continue;
    if (is_unpublished(*node)) {
      profile.unpublished[i] = true;
      continue;
    }
    const auto peak = compute.optional_rate(name(path));
    const bool counts_flop = ends_with_unit(node, "FLOP/s");
    if (peak && counts_flop == is_integer(path)) {
      compute.problem(name(path),
                      fmt::format("'{}' counts {}", compute.dotted(name(path)),
                                  is_integer(path) ? "integer operations: write TOP/s"
                                                   : "floating-point operations: write TFLOP/s"));
    }
    profile.peaks[i] = in_range(compute, name(path), peak, kLeastPeak, kMostPeak);
  }
}

void read_exemption(FieldReader& fields, HardwareProfile& profile) {
  PeakExemption exemption;
  for (const std::string& text : fields.optional_texts("paths")) {
    if (const auto path = find_compute_path(text)) {
      exemption.paths.push_back(*path);
    } else {
      fields.problem("paths",
                     "unknown path '" + text + "'" + did_you_mean(text, kComputePathNames));
    }
  }
  exemption.why = fields.text("why");
  profile.exemption = std::move(exemption);
}

void read_link(FieldReader& fields, Link& link) {
  link.name = fields.optional_text("name").value_or("");
  link.generation = fields.optional_count("generation", 1, 20).value_or(0);
  link.lanes = fields.optional_count("lanes", 1, 1024).value_or(0);
  link.per_direction = in_range(fields, "per_direction", fields.optional_bandwidth("per_direction"),
                                kLeastBandwidth, kMostLinkBandwidth);
  link.caveat = fields.optional_text("caveat").value_or("");
}

void read_links(FieldReader& links, HardwareProfile& profile) {
  for (const std::string_view kind : kLinkKinds) {
    Link link;
    link.kind = kind;
    if (links.section(kind, false, [&](FieldReader& fields) { read_link(fields, link); })) {
      profile.links.push_back(std::move(link));
    }
  }
}

/// Only when everything else is right: a peak is judged by count, clock and architecture.
void report_peaks(const Document& document, ProblemList& problems, const HardwareProfile& profile) {
  if (!problems.empty())
    return;
  const Node* compute = document.root.find("compute");
  for (const PeakProblem& problem : check_peaks(profile).problems) {
    const Node* value = compute ? compute->find(name(problem.path)) : nullptr;
    problems.add(value ? value->at : document.root.at,
                 fmt::format("'compute.{}': {}", name(problem.path), problem.message));
  }
}

}  // namespace

HardwareProfile read_hardware_profile(const Document& document) {
  ProblemList problems(document);
  HardwareProfile profile;
  FieldReader root(document.root, problems);
  read_identity(root, profile);
  root.section("memory", true, [&](FieldReader& fields) { read_memory(fields, profile.memory); });
  root.section("processors", false,
               [&](FieldReader& fields) { read_processors(fields, profile.processors); });
  root.section("compute", true, [&](FieldReader& fields) { read_compute(fields, profile); });
  root.section("peaks_not_reproduced", false,
               [&](FieldReader& fields) { read_exemption(fields, profile); });
  root.section("links", false, [&](FieldReader& fields) { read_links(fields, profile); });
  read_provenance(document, root, problems, profile);
  root.finish();
  report_peaks(document, problems, profile);
  problems.finish();
  return profile;
}

}  // namespace roofcast
