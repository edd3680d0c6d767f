#pragma once

#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/model/precision_plan.hpp"
#include "roofcast/predict/forecast.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace roofcast {

/// Options that several commands share, one struct per topic. `add` defines them; values are text
/// until `resolve`, so that a wrong one gets our message and not the parser's.

/// "1", "1,2,4", "1..256" (step 1), "1..256+16", "1..256*2": whole numbers, in the order given.
/// @throws UsageError  anything else, a range that is empty or has more than 10^7 values
std::vector<std::int64_t> parse_count_list(std::string_view option, std::string_view text,
                                           std::int64_t low, std::int64_t high);
/// "a,b,c" split; empty parts are errors.
std::vector<std::string> parse_name_list(std::string_view option, std::string_view text);
/// @throws UsageError  with the option's name and the reason
std::int64_t parse_count_option(std::string_view option, std::string_view text, std::int64_t low,
                                std::int64_t high);

struct SchemeOptions {
  PrecisionRequest request;
  void add(CLI::App& app);  ///< --weights --activations --kv --embedding --head
  /// @throws UsageError  unknown, a list, or a format that cannot serve there
  [[nodiscard]] PrecisionPlan resolve(const ModelCard& card) const;
};

struct WorkloadOptions {
  std::string batch = "1";
  std::string prompt = "2048";
  std::string output = "256";
  /// With `has_context` no prompt is the default: it depends on the context.
  void add(CLI::App& app, bool has_context = false);
  [[nodiscard]] Workload resolve() const;
};

struct EngineOptions {
  std::string runtime = "vllm";
  std::string level = "best";
  std::string memory_fraction = "0.9";
  std::string kv_block = "16";
  void add(CLI::App& app, bool with_level = true);
  [[nodiscard]] const Runtime& resolve_runtime() const;
  [[nodiscard]] double resolve_memory_fraction() const;
  [[nodiscard]] std::int64_t resolve_kv_block() const;
};

/// MODEL --gpu G and all of the above: what `estimate`, `whatif` and `explain` ask.
struct EstimateOptions {
  std::string model;
  std::string gpu;
  SchemeOptions scheme;
  WorkloadOptions workload;
  EngineOptions engine;
  void add(CLI::App& app);
};

/// A request together with the objects that it points to.
struct ResolvedRequest {
  std::unique_ptr<Model> model;
  std::unique_ptr<HardwareProfile> profile;
  ForecastRequest request;
};

/// The device of `--gpu NAME[xN]`. @throws UsageError  unknown, or N above 1: no layouts yet
HardwareProfile find_device(const Catalogue& catalogue, const std::string& text);

/// The model of MODEL. @throws UsageError  unknown; a list is told where lists are taken
Model find_model(const Catalogue& catalogue, const std::string& text);

/// The name that tables show for a model or a device: what was typed, which is shorter, or the full
/// name where a file was given.
std::string short_name(const std::string& typed, const std::string& full);

/// @throws UsageError, ConfigError, InputError
ResolvedRequest resolve(const EstimateOptions& options, const Catalogue& catalogue);

}  // namespace roofcast
