#pragma once

#include "roofcast/base/compute_path.hpp"
#include "roofcast/input/document.hpp"
#include "roofcast/units/quantity.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofcast {

/// How far a profile can be trusted, for `hardware` and for warnings.
enum class ProfileStatus {
  published,  ///< main numbers read in the vendor's publication
  recalled,   ///< vendor figures cross-checked by arithmetic, not re-read
  derived,    ///< units x clock x operations per clock; the vendor publishes nothing better
  announced,  ///< not shipped yet
};

inline constexpr std::array<std::string_view, 4> kProfileStatusNames = {"published", "recalled",
                                                                        "derived", "announced"};

constexpr std::string_view name(ProfileStatus status) {
  return kProfileStatusNames[static_cast<std::size_t>(status)];
}

struct Link {
  std::string kind;             ///< the key in the file: "nvlink", "pcie"
  std::string name;             ///< as sold, where it differs: "NVLink3 bridge"; else empty
  std::int64_t generation = 0;  ///< 0 where it has none
  std::int64_t lanes = 0;       ///< PCIe
  std::optional<BytesPerSecond> per_direction;  ///< of one device; sheets print both directions
  std::string caveat;
};

struct ProfileSource {
  std::string id;
  std::string title;
  std::string publisher;
  std::string where;
};

/// Peaks that count x clock x operations per clock does not give, and why that is right.
struct PeakExemption {
  std::vector<ComputePath> paths;  ///< empty: all of them
  std::string why;
};

/// A device as its datasheet describes it: dense peaks, usable memory, links. Facts only; achieved
/// rates live in cost/ and in calibration files.
struct HardwareProfile {
  std::string name;
  std::vector<std::string> aliases;
  std::string vendor;
  std::string title;  ///< "NVIDIA H100 SXM5 80 GB"
  /// Selects the constants of cost/ and the operations per clock of hw/peak_check. In use:
  /// NVIDIA pascal volta turing ampere (GA100) ampere_ga10x ampere_ga10b (Orin) ada hopper
  /// blackwell (GB100, GB110) blackwell_thor blackwell_rtx (GB20x) rubin; AMD cdna1 cdna2 cdna3
  /// cdna4 cdna5 rdna3 rdna3_5 rdna4 zen3 zen4 zen5; Intel gaudi2 gaudi3 xe_hpc xe_hpg xe2 ice_lake
  /// sapphire_rapids emerald_rapids granite_rapids; Google tpu_v3 tpu_v4 tpu_v5e tpu_v5p tpu_v6e
  /// tpu_v7; AWS neuron_v2 neuron_v3 neuron_v4 neoverse_v1 neoverse_v2; apple_gpu; others groq_tsp
  /// wse3 rdu wormhole blackhole davinci ascend_950. A new one needs no entry anywhere; its peaks
  /// are then not checked.
  std::string architecture;
  std::string compute_capability;  ///< "9.0", "gfx942", or a CPU's vector extensions
  std::int64_t released = 0;       ///< year; 0 when not stated
  ProfileStatus status = ProfileStatus::published;

  struct Memory {
    std::optional<Bytes>
        capacity;  ///< usable, as the driver reports it; absent where the host decides
    std::optional<Bytes> marketed;
    std::string type;
    BytesPerSecond bandwidth{};  ///< 0 where the file says `unpublished`: nothing can be timed then
    std::optional<Bytes> l2;     ///< last-level cache or on-chip memory
  } memory;

  struct Processors {
    std::int64_t count = 0;      ///< SMs, CUs, cores; 0 when not published
    std::optional<Hertz> clock;  ///< at which the peaks are stated, which need not be the maximum
    bool half_accumulate =
        false;  ///< FP32 accumulation at half the FP16-accumulate rate: GeForce, A10G, L40
  } processors;

  std::array<std::optional<FlopsPerSecond>, kComputePaths> peaks;
  /// Paths that the device has and whose peak nobody states: the file says `unpublished`. Products
  /// on them are refused, since a slower unit would give a bound that the device beats.
  std::array<bool, kComputePaths> unpublished{};
  std::optional<PeakExemption> exemption;
  std::vector<Link> links;
  std::optional<Watts> power;
  std::vector<std::string> caveats;
  std::vector<ProfileSource> sources;
  std::map<std::string, std::string> provenance;  ///< dotted path, section or "*" -> source id

  [[nodiscard]] std::optional<FlopsPerSecond> peak(ComputePath path) const {
    return peaks[static_cast<std::size_t>(path)];
  }
  [[nodiscard]] bool is_unpublished(ComputePath path) const {
    return unpublished[static_cast<std::size_t>(path)];
  }
};

/// The profile in a `roofcast/hardware/1` file.
/// @throws InputError  with every problem of the file: unknown keys, missing units, numbers that no
///                     provenance entry covers, a sparse peak entered as dense
HardwareProfile read_hardware_profile(const Document& document);

/// The source of the number at a dotted path ("memory.capacity"): that of the path itself, else of
/// the nearest section above it, else "*"; nullptr when none covers it.
const ProfileSource* source_of(const HardwareProfile& profile, const std::string& dotted_path);

}  // namespace roofcast
