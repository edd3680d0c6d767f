#pragma once

#include "roofcast/base/registry.hpp"
#include "roofcast/model/model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// Builds the forward pass of a card of one family. Must not print, read files or keep state.
/// @throws ConfigError  when the card's numbers do not fit together
using BuildModel = Model (*)(const ModelCard& card);

struct Architecture {
  BuildModel build;
  std::string_view summary;  ///< one line for `roofcast models`: "pre-norm, GQA, RoPE, ..."
};

using Architectures = Registry<Architecture>;

/// The model of a card, checked: counts positive, heads divisible, parameters below 2^53.
/// @throws UsageError   unknown family, with the nearest
/// @throws ConfigError  numbers that do not fit together
Model build_model(const ModelCard& card);

}  // namespace roofcast

/// Registers a family under its name: ROOFCAST_ARCHITECTURE("llama", build_llama, "pre-norm, ...");
#define ROOFCAST_ARCHITECTURE(family_name, builder, family_summary) \
  [[maybe_unused]] static const bool registered_##builder =         \
      ::roofcast::Architectures::instance().add((family_name),      \
                                                {.build = (builder), .summary = (family_summary)})
