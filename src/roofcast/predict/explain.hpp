#pragma once

#include "roofcast/predict/forecast.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// What one symbol of a formula stands for in this forecast.
struct ExplainedSymbol {
  std::string symbol;   ///< "B_mem"
  std::string meaning;  ///< "memory bandwidth of the device"
  std::string value;    ///< "2,039 GB/s"
  std::string source;   ///< "profile nvidia-a100-sxm4-80gb"
};

/// How one number of a forecast comes about.
struct Explanation {
  std::string quantity;            ///< its path in the JSON: "decode.bound_seconds"
  int equation = 0;                ///< number in docs/model.md
  std::string title;               ///< "bound of the mean decode step"
  std::string formula;             ///< with symbols
  std::vector<std::string> lines;  ///< with the numbers put in; the last one ends in "= RESULT"
  std::string result;              ///< "7.008 ms"; "unknown" where the forecast has no answer
  std::optional<double> value;  ///< in plain SI units as in the JSON; absent for text and unknowns
  std::vector<ExplainedSymbol> symbols;  ///< in the order in which the formula uses them
};

/// Every quantity that `explain` knows, by its path in the JSON of `roofcast estimate`, in its
/// order.
std::vector<std::string_view> explainable_quantities();

/// Explains `quantity` with the numbers of `forecast`, whose request must still point to live
/// objects. Takes a JSON path (decode.bound_seconds), or a short form without section or unit where
/// that is unambiguous (tpot, kv_cache, critical_batch).
/// @throws UsageError  unknown, with the nearest names; ambiguous, with the names it could be
Explanation explain(std::string_view quantity, const Forecast& forecast);

}  // namespace roofcast
