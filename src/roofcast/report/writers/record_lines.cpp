#include "roofcast/report/writers/record_lines.hpp"

#include "roofcast/report/writers/human_value.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>

namespace roofcast {
namespace {

bool is_text(const Value& value) {
  return std::holds_alternative<std::string>(value) || std::holds_alternative<TextList>(value);
}

bool is_seen(const Field& field) {
  const bool empty = is_text(field.value) && human(field.value).empty();
  return !field.label.empty() && !empty;
}

bool is_memory(const Field& field) {
  return is_seen(field) && std::holds_alternative<Capacity>(field.value) &&
         si_value(field.value).value_or(0.0) != 0.0;
}

/// The whole that the shares of the other lines are of; null without shares.
const Field* whole_of(const Record& record) {
  const bool shares = std::any_of(record.fields.begin(), record.fields.end(),
                                  [](const Field& field) { return field.share.has_value(); });
  const auto whole =
      std::find_if(record.fields.begin(), record.fields.end(),
                   [](const Field& field) { return is_memory(field) && !field.share; });
  return shares && whole != record.fields.end() ? &*whole : nullptr;
}

/// That of the whole where there is one, which stays as it is whatever is asked; else that of the
/// first line that holds any memory, or a larger one: 20,731 MiB are hard to read.
ColumnUnit ledger_unit(const Record& record) {
  if (const Field* whole = whole_of(record))
    return unit_of(whole->value);
  constexpr double kMost = 1e4;
  ColumnUnit unit;
  for (const Field& field : record.fields) {
    const double size = si_value(field.value).value_or(0.0);
    if (!is_memory(field))
      continue;
    if (unit.text.empty() || size / unit.factor >= kMost)
      unit = unit_of(field.value);
  }
  return unit;
}

std::string value_text(const Value& value, const ColumnUnit& ledger) {
  if (!std::holds_alternative<Capacity>(value) || ledger.text.empty())
    return human(value);
  return human_in(value, ledger) + " " + ledger.text;
}

bool same_line(const Field& a, const Field& b) {
  return a.key.empty() ? a.label == b.label : a.key == b.key;
}

/// Fields of all records, each once: a decode has a number of steps, a prefill has none.
std::vector<const Field*> all_fields(const std::vector<const Record*>& records) {
  std::vector<const Field*> fields;
  for (const Record* record : records) {
    for (const Field& field : record->fields) {
      const auto known = std::find_if(fields.begin(), fields.end(),
                                      [&](const Field* f) { return same_line(*f, field); });
      if (known == fields.end()) {
        fields.push_back(&field);
      } else if (!is_seen(**known)) {
        *known = &field;
      }
    }
  }
  std::erase_if(fields, [](const Field* field) { return !is_seen(*field); });
  return fields;
}

std::string cell_of(const Record& record, const Field& like) {
  for (const Field& field : record.fields) {
    if (same_line(field, like) && is_seen(field))
      return human(field.value);
  }
  return "";
}

}  // namespace

bool is_shown(const Record& record) {
  return !record.machine_only && std::any_of(record.fields.begin(), record.fields.end(), is_seen);
}

std::vector<RecordLine> record_lines(const Record& record) {
  const ColumnUnit ledger = ledger_unit(record);
  std::vector<RecordLine> lines;
  for (const Field& field : record.fields) {
    if (!is_seen(field))
      continue;
    lines.push_back({.label = field.label,
                     .value = value_text(field.value, ledger),
                     .is_text = is_text(field.value) || std::holds_alternative<bool>(field.value),
                     .share = field.share,
                     .percent = field.share ? format_percent(*field.share) : "",
                     .note = field.note});
  }
  return lines;
}

GroupTable group_table(const std::vector<const Record*>& records) {
  GroupTable table;
  for (const Record* record : records)
    table.titles.push_back(record->title);
  for (const Field* field : all_fields(records)) {
    GroupTable::Row row{.label = field->label, .cells = {}};
    for (const Record* record : records)
      row.cells.push_back(cell_of(*record, *field));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<const Record*> take_group(const std::vector<Block>& blocks, std::size_t& at) {
  const auto& first = std::get<Record>(blocks[at]);
  std::vector<const Record*> group;
  while (at < blocks.size()) {
    const auto* next = std::get_if<Record>(&blocks[at]);
    if (next == nullptr || next->group != first.group)
      break;
    if (is_shown(*next))
      group.push_back(next);
    ++at;
  }
  return group;
}

}  // namespace roofcast
