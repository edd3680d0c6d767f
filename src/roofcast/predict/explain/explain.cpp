#include "roofcast/predict/explain.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/predict/explain/draft.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace roofcast {
namespace {

using explaining::Entry;

std::vector<Entry> all_entries() {
  using namespace explaining;
  std::vector<Entry> all;
  for (const auto& part : {parameter_entries(), memory_entries(), room_entries(), prefill_entries(),
                           decode_entries(), total_entries()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Names that people use and that no rule below derives.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kAliases = {{
    {"parameters", "model.parameters.total"},
    {"memory", "memory.total_bytes"},
    {"prefill", "prefill.seconds"},
    {"decode", "decode.seconds"},
    {"throughput", "tokens_per_second"},
    {"activations", "memory.activation_bytes"},
    {"kv_per_token", "memory.kv_bytes_per_token"},
}};

std::string normalised(std::string_view wanted) {
  std::string text(wanted);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

std::string_view without_unit(std::string_view quantity) {
  for (const std::string_view unit : {"_seconds", "_bytes", "_tokens"}) {
    if (quantity.size() > unit.size() && quantity.ends_with(unit))
      return quantity.substr(0, quantity.size() - unit.size());
  }
  return quantity;
}

/// Whether `wanted` is the quantity without its unit, without its sections, or without both. The
/// causes of a time keep their sections: "weights" means the bytes.
bool is_short_form(std::string_view wanted, std::string_view quantity) {
  if (quantity.find(".terms.") != std::string_view::npos)
    return wanted == without_unit(quantity);
  for (std::string_view rest = quantity;;) {
    if (wanted == rest || wanted == without_unit(rest))
      return true;
    const auto dot = rest.find('.');
    if (dot == std::string_view::npos)
      return false;
    rest.remove_prefix(dot + 1);
  }
}

std::string listed(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries)
    text.append(text.empty() ? "" : ", ").append(entry.quantity);
  return text;
}

Entry find_entry(std::string_view quantity) {
  const std::string wanted = normalised(quantity);
  const std::vector<Entry> all = all_entries();
  std::vector<Entry> found;
  for (const Entry& entry : all) {
    if (entry.quantity == wanted)
      return entry;
    if (is_short_form(wanted, entry.quantity))
      found.push_back(entry);
  }
  for (const auto& [alias, name] : kAliases) {
    if (alias == wanted)
      return find_entry(name);
  }
  if (found.size() == 1)
    return found.front();
  if (found.size() > 1) {
    throw UsageError("'" + std::string(quantity) + "' is more than one quantity: " + listed(found));
  }
  std::vector<std::string_view> names;
  for (const Entry& entry : all) {
    names.push_back(entry.quantity);
    names.push_back(without_unit(entry.quantity));
  }
  throw UsageError("unknown quantity '" + printable(quantity) + "'" + did_you_mean(wanted, names) +
                   "; known are the keys of the JSON of estimate, such as decode.bound_seconds");
}

}  // namespace

std::vector<std::string_view> explainable_quantities() {
  std::vector<std::string_view> names;
  for (const Entry& entry : all_entries())
    names.push_back(entry.quantity);
  return names;
}

Explanation explain(std::string_view quantity, const Forecast& forecast) {
  const Entry entry = find_entry(quantity);
  Explanation explanation = entry.explain(explaining::Subject(forecast));
  explanation.quantity = entry.quantity;
  return explanation;
}

}  // namespace roofcast
