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

/// What may follow the option: empty when nothing can be offered.
std::vector<std::string> candidates_of(const CompletionData& data, const std::string& type) {
  const auto known = std::find_if(data.types.begin(), data.types.end(),
                                  [&](const CompletedType& each) { return each.type == type; });
  return known != data.types.end() ? known->candidates : alternatives(type);
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string names_of(const DefinedOption& option, std::string_view separator) {
  if (option.short_name.empty())
    return option.long_name;
  return fmt::format("{}{}{}", option.short_name, separator, option.long_name);
}

std::string command_names(const CompletionData& data) {
  std::vector<std::string> names;
  for (const CompletedCommand& command : data.commands)
    names.push_back(command.name);
  return word_list(names);
}

bool takes_files(const CompletedCommand& command) {
  return std::any_of(command.options.begin(), command.options.end(), [](const DefinedOption& o) {
    return o.is_argument() && (o.type == "FILE" || o.type == "MODEL" || o.type == "GPU");
  });
}

std::string bash_words(const std::vector<std::string>& candidates, bool files) {
  const std::string words =
      fmt::format("$(compgen -W {} -- \"$current\")", shell_quoted(word_list(candidates)));
  const std::string paths = "$(compgen -f -- \"$current\")";
  if (candidates.empty())
    return paths;
  return files ? words + " " + paths : words;
}

/// The cases of one command: values after its options, then its options and arguments.
std::string bash_command(const CompletionData& data, const CompletedCommand& command) {
  std::string text = fmt::format("    {})\n      case \"$previous\" in\n", command.name);
  std::vector<std::string> options{"--help"};
  std::vector<std::string> words;
  for (const DefinedOption& option : command.options) {
    if (option.is_argument()) {
      for (std::string& each : candidates_of(data, option.type))
        words.push_back(std::move(each));
      continue;
    }
    options.push_back(option.long_name);
    if (option.is_flag())
      continue;
    const std::vector<std::string> candidates = candidates_of(data, option.type);
    const bool files = option.type == "FILE" || option.type == "GPU";
    if (candidates.empty() && !files) {
      text += fmt::format("        {}) COMPREPLY=(); return ;;\n", names_of(option, "|"));
    } else {
      text += fmt::format("        {}) COMPREPLY=({}); return ;;\n", names_of(option, "|"),
                          bash_words(candidates, files));
    }
  }
  text += "      esac\n      case \"$current\" in\n";
  text += fmt::format("        -*) COMPREPLY=({}) ;;\n", bash_words(options, false));
  text +=
      fmt::format("        *) COMPREPLY=({}) ;;\n", words.empty() && !takes_files(command)
                                                        ? std::string()
                                                        : bash_words(words, takes_files(command)));
  return text + "      esac ;;\n";
}

std::string zsh_action(const CompletionData& data, const std::string& type) {
  const std::vector<std::string> candidates = candidates_of(data, type);
  if (type == "FILE")
    return "_files";
  if (candidates.empty())
    return " ";
  return "(" + word_list(candidates) + ")";
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

std::string zsh_command(const CompletionData& data, const CompletedCommand& command) {
  std::string text = fmt::format("    {})\n      _arguments -S", command.name);
  for (const DefinedOption& option : command.options) {
    const std::string about = zsh_escaped(option.description);
    const std::string action = option.is_flag() ? "" : zsh_action(data, option.type);
    std::string spec;
    if (option.is_argument()) {
      spec = fmt::format("{}:{}:{}", option.repeats ? "*" : "", option.argument, action);
    } else {
      spec = fmt::format("{}{}[{}]", option.repeats ? "*" : "", option.long_name, about);
      if (!option.is_flag())
        spec += fmt::format(":{}:{}", zsh_escaped(option.type), action);
    }
    text += " \\\n        " + shell_quoted(spec);
  }
  return text + " \\\n        '--help[shows how the command is used]' ;;\n";
}

}  // namespace

std::string bash_completion(const CompletionData& data) {
  std::string text =
      "# Completion of roofcast for bash. Load it with: source <(roofcast completion bash)\n"
      "_roofcast() {\n"
      "  local current previous command\n"
      "  current=${COMP_WORDS[COMP_CWORD]}\n"
      "  previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  command=${COMP_WORDS[1]}\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W {} -- \"$current\"))\n    return\n  fi\n",
                      shell_quoted(command_names(data) + " help --help --version"));
  text += fmt::format(
      "  case \"$command\" in\n    help) COMPREPLY=($(compgen -W {} -- \"$current\")) ;;\n",
      shell_quoted(command_names(data)));
  for (const CompletedCommand& command : data.commands)
    text += bash_command(data, command);
  return text + "  esac\n}\ncomplete -F _roofcast roofcast\n";
}

std::string zsh_completion(const CompletionData& data) {
  std::string text =
      "#compdef roofcast\n"
      "# Completion of roofcast for zsh. Load it with: source <(roofcast completion zsh)\n"
      "_roofcast() {\n"
      "  local -a commands=(\n";
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
  for (const CompletedCommand& command : data.commands) {
    text += fmt::format("complete -c roofcast -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        shell_quoted(command.summary));
    const std::string when =
        shell_quoted(fmt::format("__fish_seen_subcommand_from {}", command.name));
    for (const DefinedOption& option : command.options) {
      const std::string words = shell_quoted(word_list(candidates_of(data, option.type)));
      const bool files = option.type == "FILE";
      text += "complete -c roofcast -n " + when;
      if (!option.is_argument())
        text += " -l " + option.long_name.substr(2);
      if (!option.short_name.empty())
        text += " -s " + option.short_name.substr(1);
      if (!option.is_argument() && !option.is_flag())
        text += " -r";
      if (!option.is_flag() && words != "''")
        text += " -a " + words;
      if (files)
        text += " -F";
      text += " -d " + shell_quoted(option.description) + "\n";
    }
  }
  return text;
}

}  // namespace roofcast
