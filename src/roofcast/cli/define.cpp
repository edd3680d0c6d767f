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

std::vector<DefinedOption> defined_options(const CLI::App& app) {
  std::vector<DefinedOption> options;
  for (const CLI::Option* option : app.get_options()) {
    DefinedOption defined;
    if (!option->get_lnames().empty())
      defined.long_name = "--" + option->get_lnames().front();
    if (!option->get_snames().empty())
      defined.short_name = "-" + option->get_snames().front();
    if (option->get_positional())
      defined.argument = option->get_name(true);
    if (option->get_items_expected_max() > 0)
      defined.type = option->get_type_name();
    defined.description = option->get_description();
    defined.group = option->get_group();
    defined.default_text = option->get_default_str();
    defined.required = option->get_required();
    defined.repeats = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll ||
                      option->get_items_expected_max() > 1;
    options.push_back(std::move(defined));
  }
  return options;
}

}  // namespace roofcast
