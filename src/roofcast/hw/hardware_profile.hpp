#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "roofcast/base/compute_path.hpp"
#include "roofcast/input/document.hpp"
#include "roofcast/units/quantity.hpp"

namespace roofcast {

/// How far a profile can be trusted, for `hardware` and for warnings.
enum class ProfileStatus {
  published,  ///< main numbers read in the vendor's publication
  recalled,   ///< vendor figures cross-checked by arithmetic, not re-read
  derived,    ///< units x clock x operations per clock; the vendor publishes nothing better
  announced,  ///< not shipped yet
};

struct Link {
  std::string name;                      ///< "NVLink4"
  std::int64_t generation = 0;           ///< PCIe
  std::int64_t lanes = 0;                ///< PCIe
  std::optional<BytesPerSecond> per_direction;
  std::string caveat;
};

struct ProfileSource {
  std::string id;
  std::string title;
  std::string publisher;
  std::string where;
};

/// A device as its datasheet describes it: dense peaks, usable memory, links. Facts only; achieved rates
/// live in cost/ and in calibration files.
struct HardwareProfile {
  std::string name;
  std::vector<std::string> aliases;
  std::string vendor;
  std::string title;              ///< "NVIDIA H100 SXM5 80 GB"
  std::string architecture;       ///< "hopper": selects the constants of cost/
  std::string compute_capability;
  std::int64_t released = 0;
  ProfileStatus status = ProfileStatus::published;

  struct Memory {
    std::optional<Bytes> capacity;  ///< usable, as the driver reports it; absent where the host decides
    std::optional<Bytes> marketed;
    std::string type;
    BytesPerSecond bandwidth{};
    std::optional<Bytes> l2;
  } memory;

  struct Processors {
    std::int64_t count = 0;      ///< SMs, CUs, cores; 0 when not published
    std::optional<Hertz> clock;  ///< the clock at which the peaks are stated
  } processors;

  std::array<std::optional<FlopsPerSecond>, kComputePaths> peaks;
  std::vector<Link> links;
  std::optional<Watts> power;
  std::vector<std::string> caveats;
  std::vector<ProfileSource> sources;
  std::map<std::string, std::string> provenance;  ///< dotted path or "*" -> source id

  [[nodiscard]] std::optional<FlopsPerSecond> peak(ComputePath path) const {
    return peaks[static_cast<std::size_t>(path)];
  }
};

/// @throws InputError  with every problem of the file: unknown keys, missing units, numbers that no
///                     provenance entry covers, a sparse peak entered as dense
HardwareProfile read_hardware_profile(const Document& document);

}  // namespace roofcast
