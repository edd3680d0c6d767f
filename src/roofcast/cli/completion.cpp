#include "roofcast/cli/completion.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace roofcast {
namespace {

/// Names hold letters, digits and "-_./:" mostly; a driver's name has blanks, which word lists of
/// shells cannot hold, so those are left out.
bool completes(std::string_view candidate) {
  return !candidate.empty() &&
         candidate.find_first_of(" '\"\\$`!*?[]{}()<>|&;\t\n") == std::string_view::npos;
}

std::string word_list(const std::vector<std::string>& candidates) {
  std::string list;
  for (const std::string& candidate : candidates) {
    if (!completes(candidate))
      continue;
    if (!list.empty())
      list += ' ';
    list += candidate;
  }
  return list;
}

/// "table|json|csv|md" lists its own values.
std::vector<std::string> alternatives(const std::string& type) {
  std::vector<std::string> values;
  for (std::size_t from = 0; from <= type.size();) {
    const std::size_t end = std::min(type.find('|', from), type.size());
    values.push_back(type.substr(from, end - from));
    from = end + 1;
  }
  return values.size() > 1 ? values : std::vector<std::string>{};
}

bool is_listed(const CompletionData& data, const std::string& type) {
  return std::any_of(data.types.begin(), data.types.end(),
                     [&](const CompletedType& each) { return each.type == type; });
}

/// Cards and profiles are also given as files.
bool names_files(const std::string& type) {
  return type == "FILE" || type == "MODEL" || type == "GPU";
}

/// The list of a type in the script: each is written once, for all options that take it.
std::string list_name(const std::string& type) {
  std::string name = "_roofcast_";
  for (const char c : type)
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_names(const CompletionData& data) {
  std::vector<std::string> names;
  for (const CompletedCommand& command : data.commands)
    names.push_back(command.name);
  return word_list(names);
}

/// What bash offers for a value of this type; empty for nothing.
std::string bash_values(const CompletionData& data, const std::string& type) {
  constexpr std::string_view kWords = "$(compgen -W {} -- \"$current\")";
  std::string values;
  if (is_listed(data, type)) {
    values = fmt::format(kWords, "\"$" + list_name(type) + "\"");
  } else if (const std::vector<std::string> words = alternatives(type); !words.empty()) {
    values = fmt::format(kWords, shell_quoted(word_list(words)));
  }
  if (names_files(type))
    values += " $(compgen -f -- \"$current\")";
  return values;
}

/// The cases of one command: values after its options, then its options and arguments.
std::string bash_command(const CompletionData& data, const CompletedCommand& command) {
  std::string text = fmt::format("    {})\n      case \"$previous\" in\n", command.name);
  std::vector<std::string> options{"--help"};
  std::string arguments;
  for (const DefinedOption& option : command.options) {
    if (option.is_argument()) {
      arguments += (arguments.empty() ? "" : " ") + bash_values(data, option.type);
      continue;
    }
    options.push_back(option.long_name);
    if (option.is_flag())
      continue;
    const std::string short_name = option.short_name.empty() ? "" : option.short_name + "|";
    text += fmt::format("        {}{}) COMPREPLY=({}); return ;;\n", short_name, option.long_name,
                        bash_values(data, option.type));
  }
  return text + fmt::format(
                    "      esac\n      case \"$current\" in\n"
                    "        -*) COMPREPLY=($(compgen -W {} -- \"$current\")) ;;\n"
                    "        *) COMPREPLY=({}) ;;\n      esac ;;\n",
                    shell_quoted(word_list(options)), arguments);
}

/// Colons and brackets delimit the parts of an argument description.
std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const CompletionData& data, const std::string& type) {
  if (is_listed(data, type))
    return list_name(type);
  if (type == "FILE")
    return "_files";
  const std::vector<std::string> words = alternatives(type);
  return words.empty() ? " " : "(" + word_list(words) + ")";
}

std::string zsh_option(const CompletionData& data, const DefinedOption& option) {
  const std::string several = option.repeats ? "*" : "";
  if (option.is_argument()) {
    return fmt::format("{}:{}:{}", several, option.argument, zsh_action(data, option.type));
  }
  std::string spec =
      fmt::format("{}{}[{}]", several, option.long_name, zsh_escaped(option.description));
  if (!option.is_flag())
    spec += fmt::format(":{}:{}", zsh_escaped(option.type), zsh_action(data, option.type));
  return spec;
}

std::string zsh_command(const CompletionData& data, const CompletedCommand& command) {
  std::string text = fmt::format("    {})\n      _arguments -S", command.name);
  for (const DefinedOption& option : command.options)
    text += " \\\n        " + shell_quoted(zsh_option(data, option));
  return text + " \\\n        '--help[shows how the command is used]' ;;\n";
}

std::string fish_option(const CompletionData& data, const std::string& command,
                        const DefinedOption& option) {
  std::string text =
      fmt::format("complete -c roofcast -n '__fish_seen_subcommand_from {}'", command);
  if (!option.is_argument())
    text += " -l " + option.long_name.substr(2);
  if (!option.short_name.empty())
    text += " -s " + option.short_name.substr(1);
  if (!option.is_argument() && !option.is_flag())
    text += " -r";
  const std::vector<std::string> words = alternatives(option.type);
  if (is_listed(data, option.type)) {
    text += " -a '$" + list_name(option.type) + "'";
  } else if (!words.empty()) {
    text += " -a " + shell_quoted(word_list(words));
  }
  if (names_files(option.type))
    text += " -F";
  return text + " -d " + shell_quoted(option.description) + "\n";
}

}  // namespace

std::string bash_completion(const CompletionData& data) {
  std::string text =
      "# Completion of roofcast for bash. Load it with: source <(roofcast completion bash)\n";
  for (const CompletedType& type : data.types) {
    text += list_name(type.type) + "=" + shell_quoted(word_list(type.candidates)) + "\n";
  }
  text +=
      "_roofcast() {\n"
      "  local current previous command\n"
      "  current=${COMP_WORDS[COMP_CWORD]}\n"
      "  previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  command=${COMP_WORDS[1]}\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  const std::string names = command_names(data);
  text += fmt::format(
      "    COMPREPLY=($(compgen -W {} -- \"$current\"))\n    return\n  fi\n"
      "  case \"$command\" in\n    help) COMPREPLY=($(compgen -W {} -- \"$current\")) ;;\n",
      shell_quoted(names + " help --help --version"), shell_quoted(names));
  for (const CompletedCommand& command : data.commands)
    text += bash_command(data, command);
  return text + "  esac\n}\ncomplete -F _roofcast roofcast\n";
}

std::string zsh_completion(const CompletionData& data) {
  std::string text =
      "#compdef roofcast\n"
      "# Completion of roofcast for zsh. Load it with: source <(roofcast completion zsh)\n";
  for (const CompletedType& type : data.types) {
    text += fmt::format("{}() {{\n  compadd -- {}\n{}}}\n", list_name(type.type),
                        word_list(type.candidates), names_files(type.type) ? "  _files\n" : "");
  }
  text += "_roofcast() {\n  local -a commands=(\n";
  for (const CompletedCommand& command : data.commands) {
    text +=
        fmt::format("    {}\n", shell_quoted(command.name + ":" + zsh_escaped(command.summary)));
  }
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const CompletedCommand& command : data.commands)
    text += zsh_command(data, command);
  return text + "  esac\n}\ncompdef _roofcast roofcast\n";
}

std::string fish_completion(const CompletionData& data) {
  std::string text =
      "# Completion of roofcast for fish. Load it with: roofcast completion fish | source\n"
      "complete -c roofcast -f\n";
  for (const CompletedType& type : data.types) {
    text += fmt::format("set -g {} {}\n", list_name(type.type), word_list(type.candidates));
  }
  for (const CompletedCommand& command : data.commands) {
    text += fmt::format("complete -c roofcast -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        shell_quoted(command.summary));
    for (const DefinedOption& option : command.options)
      text += fish_option(data, command.name, option);
  }
  return text;
}

}  // namespace roofcast
