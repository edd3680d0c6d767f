#pragma once

#include "roofcast/plan/whatif.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// The unit of all changes of a table, and the last decimal that they show.
struct ChangeUnit {
  std::string text;   ///< "ms"
  double factor = 1;  ///< what one such unit is in SI
  int decimals = 2;
};
/// Three digits of `scale`, which is what the changes are changes of.
ChangeUnit change_unit(Seconds scale);
/// Two decimals in the unit of `scale`, as memory is printed everywhere.
ChangeUnit change_unit(Bytes scale);

/// A difference and its causes as numbers of one unit: "-6.0" and "weights -6.4, scales +0.4".
struct ChangeText {
  std::string whole;
  std::string parts;  ///< without causes of zero; empty where nothing is left
};

/// The parts that are shown add up to the whole that is shown.
ChangeText change_text(const TimeTerms& changed, const TimeTerms& base, const ChangeUnit& unit);
ChangeText change_text(const MemoryForecast& changed, const MemoryForecast& base,
                       const ChangeUnit& unit);

/// Whole numbers that add up to the rounded sum of `parts`, each less than 1 away from its part:
/// the method of the largest remainders.
std::vector<double> round_to_sum(const std::vector<double>& parts);

}  // namespace roofcast
