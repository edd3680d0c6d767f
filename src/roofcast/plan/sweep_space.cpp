#include "roofcast/plan/sweep_space.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/cost/cost_model.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace roofcast {
namespace {

constexpr auto kMaxConfigurations = static_cast<std::int64_t>(kMaxExact);
constexpr std::string_view kAuto = "auto";

template <class Values, class Key>
void require_distinct(const char* axis, const Values& values, Key key) {
  if (values.empty())
    throw UsageError(std::string("the sweep has no ") + axis);
  std::vector<decltype(key(values.front()))> keys;
  keys.reserve(values.size());
  for (const auto& value : values)
    keys.push_back(key(value));
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice == keys.end())
    return;
  std::string name;
  if constexpr (std::is_same_v<decltype(key(values.front())), std::int64_t>) {
    name = std::to_string(*twice);
  } else {
    name = std::string(*twice);
  }
  throw UsageError(std::string("the sweep names ") + axis + " " + name + " twice");
}

std::vector<std::string> canonical(std::vector<std::string> formats) {
  for (std::string& format : formats) {
    if (format != kAuto)
      format = number_format(format).name;
  }
  return formats;
}

std::int64_t multiply(std::int64_t product, std::size_t count) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(product, static_cast<std::int64_t>(count), &result) ||
      result > kMaxConfigurations) {
    throw UsageError("the sweep has more than " + format_count(kMaxConfigurations) +
                     " configurations; shorten a list or take larger steps");
  }
  return result;
}

/// Takes the position on an axis of `count` values off a mixed-radix index.
std::size_t take(std::int64_t& index, std::size_t count) {
  const auto radix = static_cast<std::int64_t>(count);
  const std::int64_t position = index % radix;
  index /= radix;
  return static_cast<std::size_t>(position);
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool is_named(const std::string& name, const std::vector<std::string>& aliases,
              std::string_view wanted) {
  return same_name(name, wanted) ||
         std::any_of(aliases.begin(), aliases.end(),
                     [wanted](const std::string& alias) { return same_name(alias, wanted); });
}

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
}

/// The formats of a role that rows can show. "auto" follows the model and its weights.
std::vector<std::string_view> shown_formats(const SweepAxes& axes,
                                            const std::vector<std::string>& formats,
                                            const NumberFormat* PrecisionPlan::*role) {
  std::vector<std::string_view> names;
  for (const std::string& format : formats) {
    if (format != kAuto)
      add_once(names, format);
  }
  if (names.size() == formats.size())
    return names;
  for (const Model& model : axes.models) {
    for (const std::string& weights : axes.weights) {
      try {
        add_once(names, (plan_precision(model.card, {.weights = weights}).*role)->name);
      } catch (const UsageError&) {
        // These configurations are skipped with that reason.
      }
    }
  }
  return names;
}

}  // namespace

SweepSpace::SweepSpace(SweepAxes axes, SweepSettings settings)
    : axes_(std::move(axes)), settings_(std::move(settings)) {
  axes_.weights = canonical(std::move(axes_.weights));
  axes_.activations = canonical(std::move(axes_.activations));
  axes_.kv = canonical(std::move(axes_.kv));
  const auto text = [](const std::string& value) { return std::string_view(value); };
  const auto number = [](std::int64_t value) { return value; };
  require_distinct("model", axes_.models,
                   [](const Model& m) { return std::string_view(m.card.name); });
  require_distinct("gpu", axes_.devices,
                   [](const HardwareProfile& d) { return std::string_view(d.name); });
  require_distinct("weights", axes_.weights, text);
  require_distinct("activations", axes_.activations, text);
  require_distinct("kv", axes_.kv, text);
  require_distinct("runtime", axes_.runtimes, [](const Runtime* r) { return r->name; });
  require_distinct("prompt", axes_.prompts, number);
  require_distinct("output", axes_.outputs, number);
  require_distinct("batch", axes_.batches, number);
  static_cast<void>(
      make_cost_model(settings_.level, axes_.devices.front()));  // an unknown level throws
  group_size_ = 1;
  for (const std::size_t count :
       {axes_.prompts.size(), axes_.outputs.size(), axes_.batches.size()}) {
    group_size_ = multiply(group_size_, count);
  }
  size_ = group_size_;
  for (const std::size_t count :
       {axes_.models.size(), axes_.devices.size(), axes_.weights.size(), axes_.activations.size(),
        axes_.kv.size(), axes_.runtimes.size()}) {
    size_ = multiply(size_, count);
  }
}

SweepGroup SweepSpace::group(std::int64_t number) const {
  SweepGroup group;
  group.runtime = axes_.runtimes[take(number, axes_.runtimes.size())];
  group.kv = axes_.kv[take(number, axes_.kv.size())];
  group.activations = axes_.activations[take(number, axes_.activations.size())];
  group.weights = axes_.weights[take(number, axes_.weights.size())];
  group.device = &axes_.devices[take(number, axes_.devices.size())];
  group.model = &axes_.models[take(number, axes_.models.size())];
  return group;
}

Workload SweepSpace::workload(std::int64_t index) const {
  index %= group_size_;
  Workload workload;
  workload.batch = axes_.batches[take(index, axes_.batches.size())];
  workload.output = axes_.outputs[take(index, axes_.outputs.size())];
  workload.prompt = axes_.prompts[take(index, axes_.prompts.size())];
  return workload;
}

IndexRange SweepSpace::shard(std::int64_t number, std::int64_t count) const {
  ROOFCAST_CHECK(count >= 1 && number >= 1 && number <= count);
  const std::int64_t share = size_ / count;
  const std::int64_t longer = size_ % count;  // the first `longer` parts have one more
  const auto start = [&](std::int64_t part) { return part * share + std::min(part, longer); };
  return {start(number - 1), start(number)};
}

std::vector<std::string_view> SweepSpace::shown(const SweepColumn& column) const {
  std::vector<std::string_view> names;
  if (column.key == "model") {
    for (const Model& model : axes_.models)
      names.emplace_back(model.card.name);
  } else if (column.key == "gpu") {
    for (const HardwareProfile& device : axes_.devices)
      names.emplace_back(device.name);
  } else if (column.key == "runtime") {
    for (const Runtime* runtime : axes_.runtimes)
      names.push_back(runtime->name);
  } else if (column.key == "weights") {
    names = shown_formats(axes_, axes_.weights, &PrecisionPlan::weights);
  } else if (column.key == "activations") {
    names = shown_formats(axes_, axes_.activations, &PrecisionPlan::activations);
  } else if (column.key == "kv") {
    names = shown_formats(axes_, axes_.kv, &PrecisionPlan::kv);
  } else if (column.key == "profile_status") {
    names.assign(kProfileStatusNames.begin(), kProfileStatusNames.end());
  } else {  // prefill.limited_by, decode.limited_by
    for (const LimitedBy limit :
         {LimitedBy::compute, LimitedBy::memory, LimitedBy::network, LimitedBy::overhead}) {
      names.push_back(name(limit));
    }
  }
  return names;
}

TextValues SweepSpace::text_values() const {
  const auto find = [this](const SweepColumn& column,
                           std::string_view wanted) -> std::optional<std::string> {
    for (const Model& model : axes_.models) {
      if (column.key == "model" && is_named(model.card.name, model.card.aliases, wanted)) {
        return model.card.name;
      }
    }
    for (const HardwareProfile& device : axes_.devices) {
      if (column.key == "gpu" && is_named(device.name, device.aliases, wanted))
        return device.name;
    }
    const NumberFormat* format = find_number_format(wanted);
    const std::string_view alias = format != nullptr ? format->name : wanted;
    for (const std::string_view value : shown(column)) {
      if (same_name(value, wanted) || value == alias)
        return std::string(value);
    }
    return std::nullopt;
  };
  return {find, [this](const SweepColumn& column) { return shown(column); }};
}

}  // namespace roofcast
