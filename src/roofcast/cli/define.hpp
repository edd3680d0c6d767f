#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

/// How commands define their options. The parser's header costs seconds per file that includes it
/// and its own conversions read "010" as 8 and "nan" as a number, so commands see these functions
/// alone and get every value as the text that was typed.
namespace roofcast {

/// What the help shows about an option. `type` also tells the completion what to offer: MODEL, GPU,
/// FORMAT (of numbers), RUNTIME, LEVEL, QUANTITY, FILE, or alternatives as "table|json|csv|md". One
/// that begins with "[-]" says that the value may begin with a dash.
struct OptionText {
  std::string_view type;
  std::string_view description;
  std::string_view group = "Options";
};

/// `name` "--batch" or "-o,--out". The default shown is what `value` holds now, if anything.
void text_option(CLI::App& app, std::string_view name, std::string& value, const OptionText& text,
                 bool required = false);
/// An option that may be given several times; commas are kept as they are.
void repeated_option(CLI::App& app, std::string_view name, std::vector<std::string>& values,
                     const OptionText& text, bool required = false);
void flag_option(CLI::App& app, std::string_view name, bool& value, std::string_view description,
                 std::string_view group = "Options");
/// An argument without dashes; `name` is shown in the help: "MODEL".
void positional(CLI::App& app, std::string_view name, std::string& value, const OptionText& text,
                bool required = true);
void positionals(CLI::App& app, std::string_view name, std::vector<std::string>& values,
                 const OptionText& text, bool required = true);

/// An option or argument as it was defined, for the help, the completion and messages.
struct DefinedOption {
  std::string long_name;   ///< "--batch"; empty for arguments
  std::string short_name;  ///< "-o"; mostly empty
  std::string argument;    ///< "MODEL" for an argument without dashes, else empty
  std::string type;        ///< empty for flags
  std::string description;
  std::string group;
  std::string default_text;
  bool required = false;
  bool repeats = false;

  [[nodiscard]] bool is_argument() const { return !argument.empty(); }
  [[nodiscard]] bool is_flag() const { return type.empty(); }
};

/// In the order of their definition.
std::vector<DefinedOption> defined_options(const CLI::App& app);

}  // namespace roofcast
