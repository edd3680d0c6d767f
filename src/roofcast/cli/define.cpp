#include "roofcast/cli/define.hpp"

#include <CLI/CLI.hpp>

namespace roofcast {
namespace {

void describe(CLI::Option& option, const OptionText& text, bool required) {
  option.type_name(std::string(text.type))->group(std::string(text.group))->required(required);
}

}  // namespace

void text_option(CLI::App& app, std::string_view name, std::string& value, const OptionText& text,
                 bool required) {
  CLI::Option* option = app.add_option(std::string(name), value, std::string(text.description));
  describe(*option, text, required);
  if (!value.empty())
    option->default_str(value);
}

void repeated_option(CLI::App& app, std::string_view name, std::vector<std::string>& values,
                     const OptionText& text, bool required) {
  CLI::Option* option = app.add_option(std::string(name), values, std::string(text.description));
  describe(*option, text, required);
  // One value per mention: without this the option would swallow the positionals behind it.
  option->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void flag_option(CLI::App& app, std::string_view name, bool& value, std::string_view description,
                 std::string_view group) {
  app.add_flag(std::string(name), value, std::string(description))->group(std::string(group));
}

void positional(CLI::App& app, std::string_view name, std::string& value, const OptionText& text,
                bool required) {
  describe(*app.add_option(std::string(name), value, std::string(text.description)), text,
           required);
}

void positionals(CLI::App& app, std::string_view name, std::vector<std::string>& values,
                 const OptionText& text, bool required) {
  describe(*app.add_option(std::string(name), values, std::string(text.description)), text,
           required);
}

}  // namespace roofcast
