#include "roofcast/cli/help.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::size_t kLongestLeft = 30;  // a longer left side gets a line of its own

struct HelpLine {
  std::string left;
  std::string right;
};

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    if (!lines.back().empty())
      lines.back() += ' ';
    lines.back() += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A command line that can be pasted into a shell, continued where it is longer than a line; an
/// option and its value stay together.
std::string command_text(std::string_view command, int width) {
  const std::size_t room = static_cast<std::size_t>(width) - 8;
  std::string text = "  ";
  std::size_t used = 0;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find(" --", 1), command.size());
    const std::string_view part = command.substr(0, end);
    if (used > 0 && used + part.size() > room) {
      text += " \\\n     ";  // the part begins with its blank
      used = 0;
    }
    text += part;
    used += part.size();
    command.remove_prefix(end);
  }
  return text + "\n";
}

std::string two_columns(const std::vector<HelpLine>& rows, int width) {
  std::size_t left = 0;
  for (const HelpLine& row : rows) {
    if (row.left.size() <= kLongestLeft)
      left = std::max(left, row.left.size());
  }
  const std::size_t total = static_cast<std::size_t>(std::max(width, 60));
  std::string text;
  for (const HelpLine& row : rows) {
    bool first = row.left.size() <= left;
    if (!first)
      text += fmt::format("  {}\n", row.left);
    for (const std::string& line : wrapped(row.right, total - left - 4)) {
      text += fmt::format("  {:<{}}  {}\n", first ? row.left : "", left, line);
      first = false;
    }
  }
  return text;
}

HelpLine option_line(const DefinedOption& option) {
  HelpLine line;
  line.left = option.is_argument() ? option.argument : option.long_name;
  if (!option.short_name.empty())
    line.left = option.short_name + ", " + line.left;
  if (!option.is_argument() && !option.is_flag())
    line.left += " " + option.type;
  line.right = option.description;
  if (option.repeats && !option.is_argument())
    line.right += "; may be given several times";
  if (!option.default_text.empty())
    line.right += fmt::format(" [{}]", option.default_text);
  return line;
}

std::string usage(const std::string& program, const std::vector<DefinedOption>& options) {
  std::string text = "Usage: " + program;
  for (const DefinedOption& option : options) {
    if (!option.is_argument())
      continue;
    const std::string name = option.argument + (option.repeats ? "..." : "");
    text += option.required ? " " + name : " [" + name + "]";
  }
  for (const DefinedOption& option : options) {
    if (!option.is_argument() && option.required)
      text += " " + option.long_name + " " + option.type;
  }
  return text + " [options]\n";
}

}  // namespace

std::string program_help(int width) {
  std::vector<std::pair<int, HelpLine>> commands;
  for (const auto& [name, entry] : Commands::instance().entries()) {
    commands.emplace_back(entry.order, HelpLine{name, std::string(entry.summary)});
  }
  std::sort(commands.begin(), commands.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<HelpLine> rows;
  rows.reserve(commands.size());
  for (const auto& command : commands)
    rows.push_back(command.second);
  return fmt::format(
      "roofcast {} predicts the memory and the time of LLM inference.\n\n"
      "Usage: roofcast COMMAND [options]\n\nCommands:\n{}\n"
      "Example:\n  roofcast estimate llama-2-7b --gpu a100-sxm4-80 --prompt 2048 --output 256\n\n"
      "'roofcast COMMAND --help' shows the options of a command and an example;\n"
      "'roofcast --version' shows the version.\n",
      ROOFCAST_VERSION, two_columns(rows, width));
}

std::string command_help(const CommandLine& line, const CommandEntry& entry, int width) {
  const std::vector<DefinedOption> options = line.options();
  std::string text;
  for (const std::string& each : wrapped(fmt::format("{}: {}", line.program(), entry.summary),
                                         static_cast<std::size_t>(width)))
    text += each + "\n";
  text += "\n" + usage(line.program(), options);
  std::vector<std::string> groups;
  for (const DefinedOption& option : options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  for (const std::string& group : groups) {
    std::vector<HelpLine> rows;
    for (const DefinedOption& option : options) {
      if (option.group == group)
        rows.push_back(option_line(option));
    }
    text += fmt::format("\n{}:\n{}", group, two_columns(rows, width));
  }
  return text + "\nExample:\n" + command_text(entry.example, width);
}

}  // namespace roofcast
