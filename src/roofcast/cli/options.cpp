#include "roofcast/cli/options.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/parse.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::int64_t kMaxListValues = 10'000'000;
constexpr std::int64_t kMaxKvBlock = 65'536;
constexpr double kLeastFraction = 0.01;
constexpr std::string_view kScheme = "Number formats";
constexpr std::string_view kWorkload = "Workload";
constexpr std::string_view kEngine = "Engine and model";

/// First and last value of "1..256", and what leads from one to the next.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
  bool multiplies = false;
};

Range parse_range(std::string_view option, std::string_view text, std::int64_t low,
                  std::int64_t high) {
  const std::size_t dots = text.find("..");
  const std::size_t sign = text.find_first_of("+*", dots);
  if (dots == 0 || dots + 2 >= std::min(sign, text.size()) || sign + 1 == text.size()) {
    throw UsageError(fmt::format("{}: '{}' is no range; write for example 1..9, 1..9+2 or 1..256*2",
                                 option, printable(text)));
  }
  Range range;
  range.first = parse_count_option(option, text.substr(0, dots), low, high);
  range.last = parse_count_option(option, text.substr(dots + 2, sign - dots - 2), low, high);
  if (sign != std::string_view::npos) {
    range.multiplies = text[sign] == '*';
    range.step = parse_count_option(option, text.substr(sign + 1), 0, high);
  }
  if (range.step < (range.multiplies ? 2 : 1)) {
    throw UsageError(fmt::format("{}: the {} of '{}' must be at least {}", option,
                                 range.multiplies ? "factor" : "step", printable(text),
                                 range.multiplies ? 2 : 1));
  }
  if (range.last < range.first) {
    throw UsageError(fmt::format("{}: the range '{}' is empty; write the smaller number first",
                                 option, printable(text)));
  }
  if (range.multiplies && range.first == 0) {
    throw UsageError(fmt::format("{}: the range '{}' never leaves 0", option, printable(text)));
  }
  return range;
}

void append(std::string_view option, const Range& range, std::vector<std::int64_t>& values) {
  for (std::int64_t value = range.first;;) {
    if (static_cast<std::int64_t>(values.size()) >= kMaxListValues) {
      throw UsageError(
          fmt::format("{}: more than {} values", option, format_count(kMaxListValues)));
    }
    values.push_back(value);
    // Compared by what is left, so that nothing overflows at the top of the range.
    const bool more =
        range.multiplies ? value <= range.last / range.step : value <= range.last - range.step;
    if (!more)
      return;
    value = range.multiplies ? value * range.step : value + range.step;
  }
}

/// "h100x8" split into name and count; nothing when the text does not end so.
struct CountedDevice {
  std::string name;
  std::string count;
};

std::optional<CountedDevice> split_count(const std::string& text) {
  const std::size_t at = text.find_last_not_of("0123456789");
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    return std::nullopt;
  if (text[at] != 'x' && text[at] != 'X')
    return std::nullopt;
  return CountedDevice{text.substr(0, at), text.substr(at + 1)};
}

/// Names hold no commas: one says that a list was meant.
void refuse_list(std::string_view option, const std::string& text) {
  if (text.find(',') == std::string::npos)
    return;
  throw UsageError(fmt::format(
      "{}: '{}' is a list, and this command takes one; 'roofcast compare' and 'roofcast "
      "sweep' take several",
      option, printable(text)));
}

}  // namespace

std::int64_t parse_count_option(std::string_view option, std::string_view text, std::int64_t low,
                                std::int64_t high) {
  const Parsed<std::int64_t> parsed = parse_count(text);
  const auto allowed = [&] {
    return fmt::format("give a whole number from {} to {}", format_count(low), format_count(high));
  };
  if (!parsed.ok()) {
    throw UsageError(
        fmt::format("{}: '{}' {}; {}", option, printable(text), parsed.problem, allowed()));
  }
  if (parsed.value < low || parsed.value > high) {
    throw UsageError(fmt::format("{}: {} is out of range; {}", option, text, allowed()));
  }
  return parsed.value;
}

std::vector<std::string> parse_name_list(std::string_view option, std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (part.empty())
      throw UsageError(fmt::format("{}: an entry of the list is empty", option));
    names.emplace_back(part);
    if (comma == std::string_view::npos)
      return names;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::int64_t> parse_count_list(std::string_view option, std::string_view text,
                                           std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> values;
  for (const std::string& part : parse_name_list(option, text)) {
    if (part.find("..") == std::string::npos) {
      values.push_back(parse_count_option(option, part, low, high));
    } else {
      append(option, parse_range(option, part, low, high), values);
    }
  }
  return values;
}

void SchemeOptions::add(CLI::App& app) {
  text_option(app, "--weights", request.weights,
              {"FORMAT", "of the linear layers; auto: as published", kScheme});
  text_option(app, "--activations", request.activations,
              {"FORMAT", "of activations; auto: 16 bits, so that narrower weights are weight-only",
               kScheme});
  text_option(app, "--kv", request.kv, {"FORMAT", "of the KV cache", kScheme});
  text_option(app, "--embedding", request.embedding, {"FORMAT", "of the token table", kScheme});
  text_option(app, "--head", request.head, {"FORMAT", "of the output projection", kScheme});
}

void WorkloadOptions::add(CLI::App& app, bool has_context) {
  if (has_context)
    prompt.clear();
  text_option(app, "--batch", batch, {"N", "sequences decoded together", kWorkload});
  text_option(app, "--prompt", prompt,
              {"N",
               has_context ? "prompt tokens of each sequence; default: 2048, at most the context"
                           : "prompt tokens of each sequence",
               kWorkload});
  text_option(app, "--output", output,
              {"N", "output tokens of each: one from the prefill, N - 1 decode steps", kWorkload});
}

PrecisionPlan SchemeOptions::resolve(const ModelCard& card) const {
  refuse_list("--weights", request.weights);
  refuse_list("--activations", request.activations);
  refuse_list("--kv", request.kv);
  refuse_list("--embedding", request.embedding);
  refuse_list("--head", request.head);
  return plan_precision(card, request);
}

Workload WorkloadOptions::resolve() const {
  Workload workload;
  workload.batch = parse_count_option("--batch", batch, 1, kMaxSequences);
  workload.prompt = parse_count_option("--prompt", prompt, 1, kMaxTokens);
  workload.output = parse_count_option("--output", output, 1, kMaxTokens);
  if (workload.prompt + workload.output > kMaxTokens) {
    throw UsageError(
        fmt::format("--prompt and --output: together at most {} tokens", format_count(kMaxTokens)));
  }
  return workload;
}

void EngineOptions::add(CLI::App& app, bool with_level) {
  text_option(app, "--runtime", runtime,
              {"RUNTIME", "engine whose own memory and step time count", kEngine});
  if (with_level) {
    text_option(app, "--level", level,
                {"LEVEL", "spec: datasheet only; fit: achieved rates; best", kEngine});
  }
  text_option(app, "--memory-fraction", memory_fraction,
              {"F", "share of the usable memory that the engine may take", kEngine});
  text_option(app, "--kv-block", kv_block, {"N", "tokens per block of the KV cache", kEngine});
}

const Runtime& EngineOptions::resolve_runtime() const {
  return find_runtime(runtime);
}

double EngineOptions::resolve_memory_fraction() const {
  const Parsed<double> parsed = parse_number(memory_fraction);
  if (!parsed.ok()) {
    throw UsageError(fmt::format("--memory-fraction: '{}' {}; give a number from 0.01 to 1",
                                 printable(memory_fraction), parsed.problem));
  }
  if (!(parsed.value >= kLeastFraction && parsed.value <= 1.0)) {
    throw UsageError(fmt::format(
        "--memory-fraction: {} is out of range; give a number from 0.01 to 1", memory_fraction));
  }
  return parsed.value;
}

std::int64_t EngineOptions::resolve_kv_block() const {
  return parse_count_option("--kv-block", kv_block, 1, kMaxKvBlock);
}

HardwareProfile find_device(const Catalogue& catalogue, const std::string& text) {
  try {
    return catalogue.hardware(text);
  } catch (const UsageError&) {
    // Tried last: "rtx4090" is a name, not 4,090 devices called "rt".
    refuse_list("--gpu", text);
    const std::optional<CountedDevice> counted = split_count(text);
    if (!counted)
      throw;
    HardwareProfile profile = catalogue.hardware(counted->name);
    if (parse_count_option("--gpu", counted->count, 1, kMaxSequences) == 1)
      return profile;
    throw UsageError(fmt::format(
        "--gpu {}: parallel layouts are not part of this version; ask for one device, --gpu {}",
        text, counted->name));
  }
}

Model find_model(const Catalogue& catalogue, const std::string& text) {
  try {
    return catalogue.model(text);
  } catch (const UsageError&) {
    refuse_list("MODEL", text);
    throw;
  }
}

std::string short_name(const std::string& typed, const std::string& full) {
  const bool is_file = typed.find('/') != std::string::npos || typed.ends_with(".yaml");
  return is_file || typed.size() > full.size() ? full : typed;
}

void EstimateOptions::add(CLI::App& app) {
  positional(app, "MODEL", model, {"MODEL", "name or alias of a model, or a card file"});
  text_option(app, "--gpu", gpu, {"GPU", "name or alias of a device, or a profile file"}, true);
  workload.add(app);
  scheme.add(app);
  engine.add(app);
}

ResolvedRequest resolve(const EstimateOptions& options, const Catalogue& catalogue) {
  ResolvedRequest resolved;
  ForecastRequest& request = resolved.request;
  request.workload = options.workload.resolve();
  request.runtime = &options.engine.resolve_runtime();
  request.level = options.engine.level;
  request.kv_block = options.engine.resolve_kv_block();
  request.memory_fraction = options.engine.resolve_memory_fraction();
  resolved.model = std::make_unique<Model>(find_model(catalogue, options.model));
  resolved.profile = std::make_unique<HardwareProfile>(find_device(catalogue, options.gpu));
  request.model = resolved.model.get();
  request.profile = resolved.profile.get();
  request.plan = options.scheme.resolve(resolved.model->card);
  return resolved;
}

}  // namespace roofcast
