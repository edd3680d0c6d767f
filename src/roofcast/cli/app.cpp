#include "roofcast/cli/app.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/base/spelling.hpp"
#include "roofcast/base/utf8.hpp"
#include "roofcast/cli/arguments.hpp"
#include "roofcast/cli/command_line.hpp"
#include "roofcast/cli/help.hpp"
#include "roofcast/cli/output_file.hpp"
#include "roofcast/cost/cost_model.hpp"
#include "roofcast/model/architecture.hpp"

#include <algorithm>
#include <optional>
#include <ostream>

#include <fmt/format.h>

namespace roofcast {
namespace {

using Arguments = std::vector<std::string>;

int help_width(const Environment& environment) {
  return environment.stdout_is_terminal ? std::clamp(environment.columns, 60, 120) : 80;
}

/// A name that two files registered: a mistake of the program, found before main().
void check_registries() {
  const auto check = [](const std::vector<std::string>& duplicates) {
    if (!duplicates.empty())
      throw InternalError("registered twice: " + duplicates.front());
  };
  check(Commands::instance().duplicates());
  check(ReportWriters::instance().duplicates());
  check(Architectures::instance().duplicates());
  check(CostLevels::instance().duplicates());
}

const CommandEntry& find_command(const std::string& word) {
  if (const CommandEntry* entry = Commands::instance().find(word))
    return *entry;
  const auto names = Commands::instance().names();
  if (word.starts_with('-')) {
    throw UsageError(fmt::format(
        "'{}' comes before the command; write 'roofcast COMMAND [options]'", printable(word)));
  }
  std::string hint = did_you_mean(word, names);
  if (hint.empty())
    hint = fmt::format("; the commands are {}", fmt::join(names, ", "));
  throw UsageError(fmt::format("unknown command '{}'{}", printable(word), hint));
}

void finish_output(std::ostream& out) {
  out.flush();
  require_written(out);
}

/// Each problem begins with the program's name; the excerpts below it are indented and stay as they
/// are. What a user typed may hold anything: no control character reaches the terminal.
void print_message(std::string_view message, std::ostream& err) {
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = message.substr(0, end);
    err << (line.empty() || line.front() == ' ' ? "" : "roofcast: ");
    for (const char c : line)
      err << (c == '\t' || static_cast<unsigned char>(c) >= 0x20 ? c : '?');
    err << '\n';
    message.remove_prefix(std::min(end + 1, message.size()));
  }
}

int run_command(const std::string& name, const Arguments& arguments, std::ostream& out,
                std::ostream& err, const Environment& environment) {
  const CommandEntry& entry = find_command(name);
  CommandLine line(name, entry);
  if (asks_for_help(arguments)) {
    out << command_help(line, entry, help_width(environment));
    finish_output(out);
    return 0;
  }
  line.parse(arguments);
  const ReportWriter& writer = line.output().resolve_writer();
  const WriteOptions write_options = line.output().resolve(environment);
  std::optional<OutputFile> file;
  if (!line.output().file.empty() && line.output().file != "-")
    file.emplace(line.output().file);
  std::ostream& answer_out = file ? file->stream() : out;
  const Catalogue catalogue(environment.data_folders);
  for (const std::string& warning : catalogue.warnings())
    print_message("warning: " + warning, err);
  const Answer answer = line.command().run({catalogue, writer, answer_out, write_options});
  if (!answer.streamed)
    writer.write(answer.report, answer_out, write_options);
  if (file)
    file->commit();
  finish_output(out);
  if (answer.streamed) {
    for (const Report::Note& note : answer.report.notes)
      print_message((note.key.empty() ? "" : "warning: ") + note.message, err);
  }
  return answer.status;
}

int dispatch(const Arguments& arguments, std::ostream& out, std::ostream& err,
             const Environment& environment) {
  check_registries();
  if (arguments.empty())
    throw UsageError("a command is missing; 'roofcast --help' lists them");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || (first == "help" && arguments.size() == 1)) {
    out << program_help(help_width(environment));
    finish_output(out);
    return 0;
  }
  if (first == "--version") {
    out << "roofcast " ROOFCAST_VERSION "\n";
    finish_output(out);
    return 0;
  }
  if (first == "help")
    return run_command(arguments[1], {"--help"}, out, err, environment);
  return run_command(first, Arguments(arguments.begin() + 1, arguments.end()), out, err,
                     environment);
}

}  // namespace

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
        const Environment& environment) {
  const auto report = [&err](const std::string& message, int status) {
    print_message(message, err);
    return status;
  };
  try {
    return dispatch(arguments, out, err, environment);
  } catch (const InputError& error) {
    return report(error.what(), 3);
  } catch (const UsageError& error) {
    return report(error.what(), 2);
  } catch (const ConfigError& error) {
    return report(error.what(), 2);
  } catch (const OutputError& error) {
    // roofcast ... | head: the reader has what it wanted.
    return error.reader_left() ? 0 : report(error.what(), 2);
  } catch (const std::exception& error) {
    return report(std::string("internal error: ") + error.what(), 70);
  }
}

}  // namespace roofcast
