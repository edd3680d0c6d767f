#include "roofcast/cli/help.hpp"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>
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

HelpLine option_line(const CLI::Option& option) {
  HelpLine line;
  if (option.get_positional()) {
    line.left = option.get_name(true);
  } else {
    for (const std::string& name : option.get_snames())
      line.left += fmt::format("-{}, ", name);
    for (const std::string& name : option.get_lnames())
      line.left += fmt::format("--{}", name);
    if (option.get_items_expected_max() > 0)
      line.left += " " + option.get_type_name();
  }
  line.right = option.get_description();
  if (!option.get_default_str().empty())
    line.right += fmt::format(" [{}]", option.get_default_str());
  return line;
}

std::string usage(const CLI::App& app) {
  std::string text = "Usage: " + app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional())
      continue;
    const std::string more = option->get_items_expected_max() > 1 ? "..." : "";
    const std::string name = option->get_name(true) + more;
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || !option->get_required())
      continue;
    text += fmt::format(" {} {}", option->get_name(), option->get_type_name());
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

std::string command_help(const CLI::App& app, const CommandEntry& entry, int width) {
  std::string text = fmt::format("{}: {}\n\n{}", app.get_name(), entry.summary, usage(app));
  std::vector<std::string> groups;
  for (const CLI::Option* option : app.get_options()) {
    const std::string& group = option->get_group();
    if (std::find(groups.begin(), groups.end(), group) == groups.end())
      groups.push_back(group);
  }
  for (const std::string& group : groups) {
    std::vector<HelpLine> rows;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() == group)
        rows.push_back(option_line(*option));
    }
    text += fmt::format("\n{}:\n{}", group, two_columns(rows, width));
  }
  return text + fmt::format("\nExample:\n  {}\n", entry.example);
}

}  // namespace roofcast
