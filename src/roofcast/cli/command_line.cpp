#include "roofcast/cli/command_line.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/cli/arguments.hpp"
#include "roofcast/cli/options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace roofcast {

void OutputOptions::add(CLI::App& app) {
  constexpr std::string_view kGroup = "Output";
  const std::string formats = fmt::format("{}", fmt::join(ReportWriters::instance().names(), "|"));
  text_option(app, "--format", format, {formats, "how the answer is written", kGroup});
  text_option(
      app, "-o,--out", file,
      {"FILE", "write the answer to a file, which appears when it is complete; -: standard output",
       kGroup});
  text_option(app, "--color", color,
              {"auto|always|never",
               "colours in tables; auto: on a terminal, unless NO_COLOR is set", kGroup});
  text_option(app, "--width", width,
              {"N", "columns of a table; default: the terminal's, else 80", kGroup});
}

const ReportWriter& OutputOptions::resolve_writer() const {
  if (const auto* writer = ReportWriters::instance().find(format))
    return **writer;
  throw UsageError(fmt::format("--format: unknown format '{}'; the formats are {}",
                               printable(format),
                               fmt::join(ReportWriters::instance().names(), ", ")));
}

WriteOptions OutputOptions::resolve(const Environment& environment) const {
  constexpr std::int64_t kNarrowest = 40;
  constexpr std::int64_t kWidest = 10'000;
  const bool terminal = environment.stdout_is_terminal && (file.empty() || file == "-");
  WriteOptions options;
  if (!width.empty()) {
    options.width = static_cast<int>(parse_count_option("--width", width, kNarrowest, kWidest));
  } else if (terminal) {
    options.width = std::max(environment.columns, static_cast<int>(kNarrowest));
  }
  if (color != "auto" && color != "always" && color != "never") {
    throw UsageError(
        fmt::format("--color: '{}' is not one of auto, always, never", printable(color)));
  }
  options.colour = color == "always" || (color == "auto" && terminal && !environment.no_color);
  return options;
}

CommandLine::CommandLine(const std::string& name, const CommandEntry& entry)
    : program_("roofcast " + name),
      command_(entry.make()),
      app_(std::make_unique<CLI::App>(std::string(entry.summary), program_)) {
  app_->set_help_flag("");
  command_->define(*app_);
  output_.add(*app_);
}

CommandLine::~CommandLine() = default;

std::vector<DefinedOption> CommandLine::options() const {
  return defined_options(*app_);
}

void CommandLine::parse(const std::vector<std::string>& given) {
  const std::vector<DefinedOption> defined = options();
  const bool names_device = std::any_of(defined.begin(), defined.end(), [](const auto& option) {
    return option.long_name == "--gpu";
  });
  const std::vector<std::string> kept = names_device ? without_single_layouts(given) : given;
  check_arguments(program_, defined, kept);
  std::vector<std::string> reversed(kept.rbegin(), kept.rend());
  try {
    app_->parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; '{} --help' shows how it is used", error.what(), program_));
  }
}

}  // namespace roofcast
