#pragma once

#include "roofcast/hw/hardware_profile.hpp"
#include "roofcast/input/field_reader.hpp"

namespace roofcast {

/// Reads `sources:` with `provenance:`, or the one `source:` that serves for all, and holds them
/// against the numbers of the file: each number has a source, each entry names a known source and a
/// number that is there.
void read_provenance(const Document& document, FieldReader& root, ProblemList& problems,
                     HardwareProfile& profile);

}  // namespace roofcast
