#include "roofcast/predict/warning.hpp"

#include "roofcast/base/compute_path.hpp"
#include "roofcast/base/error.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// What would make a request fit, from the nearest change to the farthest.
std::string remedy(const MemoryRequest& request, const MemoryForecast& memory) {
  if (memory.max_batch.value_or(0) > 0) {
    return fmt::format("a batch of {} would fit at this context", format_count(*memory.max_batch));
  }
  if (memory.max_context.value_or(0) > 0) {
    return fmt::format("a context of {} tokens would fit at batch {}",
                       format_count(*memory.max_context), format_count(request.batch));
  }
  return fmt::format("weights alone take {}: narrower weights or more memory would help",
                     format_binary(memory.weights));
}

Warning does_not_fit(const MemoryRequest& request, const MemoryForecast& memory) {
  return {WarningKind::does_not_fit,
          fmt::format("needs {} where {} are usable ({} of {}); {}", format_binary(memory.total),
                      format_binary(*memory.usable), format_percent(request.memory_fraction),
                      format_binary(*memory.capacity), remedy(request, memory))};
}

std::string rate(ComputePath path, FlopsPerSecond peak) {
  std::string text = format(peak);
  if (const auto at = text.find("FLOP"); is_integer(path) && at != std::string::npos) {
    text.replace(at, 4, "OP");
  }
  return fmt::format("{} at {}", name(path), text);
}

/// What FP16 operands would run on, when that beats `used`: nothing faster holds the values as they
/// are, so other values are the only help.
std::string in_fp16(const HardwareProfile& profile, ComputePath used) {
  const ComputePath fp16 = ComputePath::fp16_tensor;
  const auto peak = profile.peak(fp16);
  if (!peak || *peak <= profile.peak(used).value_or(FlopsPerSecond{}))
    return "";
  return "; in fp16 they would run on " + rate(fp16, *peak);
}

Warning path_missing(const HardwareProfile& profile, std::string_view product,
                     const ResolvedPath& found) {
  const std::string used = rate(found.path, profile.peak(found.path).value_or(FlopsPerSecond{}));
  if (found.slower) {
    return {WarningKind::compute_path_missing,
            fmt::format("{} runs {} faster on {} than on {}: the faster one is taken", profile.name,
                        product, used, rate(*found.slower, *profile.peak(*found.slower)))};
  }
  return {WarningKind::compute_path_missing,
          fmt::format("{} has no native path for {}: they run on {}, the fastest that holds their "
                      "values{}",
                      profile.name, product, used, in_fp16(profile, found.path))};
}

}  // namespace

std::string_view name(WarningKind kind) {
  switch (kind) {
    case WarningKind::compute_path_missing:
      return "compute_path_missing";
    case WarningKind::context_beyond_model:
      return "context_beyond_model";
    case WarningKind::does_not_fit:
      return "does_not_fit";
    case WarningKind::capacity_unknown:
      return "capacity_unknown";
    case WarningKind::nearest_constants:
      return "nearest_constants";
    case WarningKind::cache_resident:
      return "cache_resident";
    case WarningKind::profile_not_published:
      return "profile_not_published";
    case WarningKind::weights_narrowed:
      return "weights_narrowed";
  }
  throw InternalError("a kind of warning without a name");
}

std::vector<Warning> memory_warnings(const Model& model, const MemoryRequest& request,
                                     const MemoryForecast& memory, const HardwareProfile* profile) {
  std::vector<Warning> warnings;
  if (memory.fits == false)
    warnings.push_back(does_not_fit(request, memory));
  const std::int64_t made_for = model.card.context;
  if (made_for > 0 && request.context > made_for) {
    warnings.push_back(
        {WarningKind::context_beyond_model,
         fmt::format("{} tokens of context are more than the {} that {} was made "
                     "for: it may run, but its answers degrade",
                     format_count(request.context), format_count(made_for), model.card.name)});
  }
  if (profile != nullptr && !memory.capacity) {
    warnings.push_back({WarningKind::capacity_unknown,
                        fmt::format("{} states no memory size, because the host decides it: what "
                                    "fits is unknown; a copy of the profile with memory.capacity "
                                    "would tell",
                                    profile->name)});
  }
  return warnings;
}

std::vector<Warning> precision_warnings(const Model& model, const PrecisionPlan& plan) {
  if (!plan.narrowed)
    return {};
  return {{WarningKind::weights_narrowed,
           fmt::format("{} was published in {} and is taken in {}, as engines serve it; ask for "
                       "--weights {} to have it as published",
                       model.card.name, number_format(model.card.weights).name, plan.weights->name,
                       number_format(model.card.weights).name)}};
}

std::vector<Warning> path_warnings(const HardwareProfile& profile, const PrecisionPlan& plan) {
  struct Product {
    const NumberFormat* one;
    const char* what;
  };
  const std::array<Product, 3> products = {
      {{plan.weights, "weights"}, {plan.head, "head"}, {plan.kv, "KV"}}};
  std::vector<Warning> warnings;
  std::vector<const NumberFormat*> seen;
  for (const Product& product : products) {
    const ResolvedPath path = resolve_path(profile, *product.one, *plan.activations);
    if (!path.missing || std::find(seen.begin(), seen.end(), product.one) != seen.end())
      continue;
    seen.push_back(product.one);
    const std::string pair = fmt::format("products of {} {} and {} activations", product.one->name,
                                         product.what, plan.activations->name);
    warnings.push_back(path_missing(profile, pair, path));
  }
  return warnings;
}

std::vector<Warning> cache_warnings(const HardwareProfile& profile, Bytes decode_bytes) {
  const std::optional<Bytes>& cache = profile.memory.l2;
  if (!cache || decode_bytes >= *cache)
    return {};
  return {{WarningKind::cache_resident,
           fmt::format("a decode step moves {} and the last-level cache holds {}: weights can stay "
                       "in the cache from step to step, so that decoding may beat the bound of the "
                       "memory",
                       format_binary(decode_bytes), format_binary(*cache))}};
}

std::vector<Warning> profile_warnings(const HardwareProfile& profile) {
  const auto warn = [&](std::string_view text) {
    return std::vector<Warning>{
        {WarningKind::profile_not_published, fmt::format("{}: {}", profile.name, text)}};
  };
  switch (profile.status) {
    case ProfileStatus::published:
      return {};
    case ProfileStatus::recalled:
      return warn(
          "its figures are the vendor's, cross-checked by arithmetic, not re-read in a "
          "publication");
    case ProfileStatus::derived:
      return warn(
          "its peaks are derived from units, clock and operations per clock, because the "
          "vendor publishes nothing better");
    case ProfileStatus::announced:
      return warn("it is announced and not shipped; its figures may change");
  }
  throw InternalError("a status of profiles without a sentence");
}

}  // namespace roofcast
