#pragma once

#include "roofcast/base/registry.hpp"
#include "roofcast/catalogue/catalogue.hpp"
#include "roofcast/report/report.hpp"
#include "roofcast/report/report_writer.hpp"

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace roofcast {

/// What a command may use. Commands neither print nor exit; they return an Answer, or stream rows.
struct CommandContext {
  const Catalogue& catalogue;
  const ReportWriter& writer;  ///< of --format, for answers that stream
  std::ostream& out;
  WriteOptions write_options;
};

/// Exit status of an answer: 0 answered, 1 the answer is no.
struct Answer {
  Report report;
  int status = 0;
  bool streamed = false;  ///< the rows are already written; notes left in `report` are messages
};

/// One sub-command; one file in cli/commands/.
class Command {
 public:
  virtual ~Command() = default;
  /// Adds positionals and options; values are kept in the object. `app` already has --format, -o,
  /// --color.
  virtual void define(CLI::App& app) = 0;
  virtual Answer run(const CommandContext& context) = 0;
};

struct CommandEntry {
  int order;                 ///< place in `roofcast --help`
  std::string_view summary;  ///< one line of `roofcast --help`
  std::string_view example;  ///< shown under "Example" in the command's own help
  std::unique_ptr<Command> (*make)();
};

using Commands = Registry<CommandEntry>;

}  // namespace roofcast

#define ROOFCAST_COMMAND(command_name, Type, command_order, command_summary, command_example)    \
  [[maybe_unused]] static const bool command_registered_ = ::roofcast::Commands::instance().add( \
      command_name, {.order = (command_order),                                                   \
                     .summary = (command_summary),                                               \
                     .example = (command_example),                                               \
                     .make = [] { return std::unique_ptr<::roofcast::Command>(new Type()); }})
