#pragma once

#include "roofcast/report/report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// Appends a value as JSON writes it: null, true, a plain SI number, a quoted string. Numbers are
/// the shortest text that reads back as the same double; integral ones have no fraction.
/// @throws InternalError  for a number that is not finite, which JSON has no word for
void append_json(std::string& out, const Value& value);

/// The same for CSV: null is empty, the texts of a list are joined with ";", text is quoted where
/// RFC 4180 asks for it.
void append_csv(std::string& out, const Value& value);

void append_json_text(std::string& out, std::string_view text);
void append_csv_text(std::string& out, std::string_view text);

/// A value of a record together with the path under which machines find it: "memory.total_bytes".
struct KeyedValue {
  std::string path;
  const Value* value;
};

/// All fields of the records of a report that machines get, in order.
std::vector<KeyedValue> keyed_values(const Report& report);

}  // namespace roofcast
