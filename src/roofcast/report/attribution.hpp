#pragma once

#include "roofcast/plan/whatif.hpp"

#include <span>
#include <string>
#include <string_view>

namespace roofcast {

/// A term of predicted time, with its key for machines and its label for people.
struct TimeTermName {
  std::string_view key;
  std::string_view label;
  Seconds TimeTerms::*term;
};
std::span<const TimeTermName> time_term_names();

/// A line of the memory ledger.
struct MemoryLineName {
  std::string_view key;
  std::string_view label;
  Bytes MemoryForecast::*line;
  Bytes MemoryChange::*change;
};
std::span<const MemoryLineName> memory_line_names();

/// "weights -6.4 ms, scales +0.3 ms, KV 0": the terms that either side has, in the unit of the
/// longer time. "" where no term differs.
std::string attribution(const TimeTerms& changed, const TimeTerms& base);

/// "weights -6.27 GiB, KV 0": the same over the lines of the ledger.
std::string attribution(const MemoryForecast& changed, const MemoryForecast& base);

/// The difference of the totals, as above: "-6.1 ms", "+1.50 GiB".
std::string total_change(const TimeTerms& changed, const TimeTerms& base);
std::string total_change(const MemoryForecast& changed, const MemoryForecast& base);

}  // namespace roofcast
