#include "cli/command_line.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "cli/command_texts.h"
#include "cli/exit_status.h"
#include "cli/nearest_word.h"

namespace tauprof {
namespace {

// The value of a text that is a finite number and nothing else.
std::optional<double> finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& words) {
  const std::string nearest = nearest_word(word, words);
  return nearest.empty() ? std::string() : "; did you mean " + nearest + "?";
}

// "off, slow or all"
std::string alternatives(const std::vector<std::string>& choices) {
  std::string text;
  for (size_t i = 0; i < choices.size(); ++i)
    text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
  return text;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

template <class Value>
Value known_or_empty(const std::map<const CLI::Option*, Value>& known, const CLI::Option& option) {
  const auto found = known.find(&option);
  return found == known.end() ? Value() : found->second;
}

OptionDescription description_of(const CLI::Option& option, const CommandLineState& state) {
  OptionDescription description;
  description.names = names_of(option);
  description.meaning = option.get_description();
  description.is_positional = option.get_positional();
  if (description.is_positional) description.names = {option.get_name(true)};
  description.takes_value = option.get_items_expected_max() > 0;
  description.is_required = option.get_required();
  description.is_repeated = option.get_items_expected_max() > 1;
  description.choices = known_or_empty(state.choices, option);
  description.words = known_or_empty(state.words, option);
  description.value = known_or_empty(state.values, option);
  description.is_list = known_or_empty(state.are_lists, option);
  description.only_with = known_or_empty(state.only_with, option);
  for (const std::string& choice : description.choices)
    description.value = &choice == &description.choices[0] ? choice : description.value + "|" + choice;
  return description;
}

CommandDescription description_of(const CLI::App& command, const CommandLineState& state) {
  CommandDescription description{command.get_name(), command.get_description(), command.get_footer(), {}};
  for (const CLI::Option* option : command.get_options()) description.options.push_back(description_of(*option, state));
  return description;
}

// "--dir=" as "--dir" and an empty value: CLI11 would take the next word for the value.
std::vector<std::string> with_empty_values(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  const auto end = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin(); word != end; ++word) {
    const bool is_empty = word->size() > 3 && word->rfind("--", 0) == 0 && word->find('=') == word->size() - 1;
    result.push_back(is_empty ? word->substr(0, word->size() - 1) : *word);
    if (is_empty) result.emplace_back();
  }
  result.insert(result.end(), end, words.end());
  return result;
}

// The first of the words that looks like an option and is none; empty if there is no such word.
std::string unknown_option(const std::vector<std::string>& words, const std::vector<std::string>& options) {
  const auto is_known = [&](const std::string& name) {
    return std::find(options.begin(), options.end(), name) != options.end();
  };
  for (const std::string& word : words) {
    if (word == "--") return {};
    const std::string name = word.substr(0, word.find('='));
    if (word.size() < 2 || word[0] != '-' || is_known(name) || finite_number(word)) continue;
    if (word[1] != '-' && is_known(word.substr(0, 2))) continue;  // -d5
    return name;
  }
  return {};
}

}  // namespace

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::one_of(const std::vector<std::string>& choices) {
  state_->choices[option_] = choices;
  return check([choices](const std::string& value) {
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string();
    return "'" + value + "' is not " + alternatives(choices) + suggestion(value, choices);
  });
}

CommandOption& CommandOption::suggests(const std::vector<std::string>& words) {
  state_->words[option_] = words;
  return *this;
}

CommandOption& CommandOption::suggests_list(const std::vector<std::string>& words) {
  state_->are_lists[option_] = true;
  return suggests(words);
}

CommandOption& CommandOption::not_negative() {
  return check([](const std::string& text) {
    const std::optional<double> number = finite_number(text);
    return number && *number >= 0 ? std::string() : "'" + text + "' is not a number from 0 on";
  });
}

CommandOption& CommandOption::positive() {
  return check([](const std::string& text) {
    const std::optional<double> number = finite_number(text);
    return number && *number > 0 ? std::string() : "'" + text + "' is not a number above 0";
  });
}

CommandOption& CommandOption::not_empty() {
  return check(
      [](const std::string& text) { return text.empty() ? std::string("the value is empty") : std::string(); });
}

CommandOption& CommandOption::existing_file() {
  option_->check(CLI::ExistingFile);
  return *this;
}

CommandOption& CommandOption::only_with(const char* other_option) {
  option_->needs(other_option);
  state_->only_with[option_] = other_option;
  return *this;
}

CommandOption& CommandOption::not_with(const char* other_option) {
  option_->excludes(other_option);
  return *this;
}

CommandOption& CommandOption::check(std::function<std::string(const std::string&)> complaint) {
  option_->check(std::move(complaint));
  return *this;
}

template <class Value>
CommandOption Command::add(const char* names, Value& value, const char* meaning, const char* usual_word) {
  const std::string text = names;
  const size_t end = text.find(' ');
  CLI::Option* const option = app_->add_option(text.substr(0, end), value, meaning);
  state_->values[option] = end == text.npos ? usual_word : text.substr(end + 1);
  return CommandOption(option, state_);
}

CommandOption Command::option(const char* names, std::string& value, const char* meaning) {
  return add(names, value, meaning, "VALUE");
}

CommandOption Command::option(const char* names, std::vector<std::string>& values, const char* meaning) {
  return add(names, values, meaning, "VALUE");
}

CommandOption Command::option(const char* names, uint64_t& value, const char* meaning) {
  return add(names, value, meaning, "N");
}

CommandOption Command::option(const char* names, std::optional<double>& value, const char* meaning) {
  return add(names, value, meaning, "X");
}

CommandOption Command::flag(const char* names, bool& value, const char* meaning) {
  return CommandOption(app_->add_flag(names, value, meaning), state_);
}

CommandOption Command::each(const char* names, std::function<void(const std::string&)> take, const char* meaning) {
  const std::string text = names;
  const size_t end = text.find(' ');
  CLI::Option* const option =
      app_->add_option_function<std::string>(text.substr(0, end), std::move(take), meaning)->trigger_on_parse();
  if (end != text.npos) state_->values[option] = text.substr(end + 1);
  return CommandOption(option, state_);
}

CommandOption Command::each(const char* names, std::function<void()> take, const char* meaning) {
  return CommandOption(app_->add_flag_callback(names, std::move(take), meaning)->trigger_on_parse(), state_);
}

void Command::footer(const char* text) { app_->footer(text); }

void Command::run(std::function<int()> body) {
  app_->callback([body = std::move(body), state = state_] { state->exit_code = body(); });
}

CommandLine::CommandLine(const char* name, const char* meaning, const char* version, size_t width)
    : app_(std::make_unique<CLI::App>(meaning, name)) {
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->formatter_fn([this, width](const CLI::App* app, std::string, CLI::AppFormatMode) {
    if (app == app_.get()) return help_text(app->get_name(), app->get_description(), describe(), width);
    return help_text(description_of(*app, state_), width);
  });
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const char* name, const char* meaning) {
  return Command(app_->add_subcommand(name, meaning), &state_);
}

std::vector<CommandDescription> CommandLine::describe() const {
  std::vector<CommandDescription> commands;
  for (const CLI::App* command : app_->get_subcommands({})) commands.push_back(description_of(*command, state_));
  return commands;
}

std::string CommandLine::complaint(const std::vector<std::string>& words, const std::string& reason) const {
  if (words.empty()) return "a command is missing; tauprof --help lists the commands";
  const std::string& first = words[0];
  std::vector<std::string> commands;
  for (const CLI::App* command : app_->get_subcommands({})) commands.push_back(command->get_name());
  if (std::find(commands.begin(), commands.end(), first) == commands.end()) {
    commands.insert(commands.end(), {"--help", "--version"});
    const std::string meant = suggestion(first, commands);
    return "unknown command '" + first + "'" + (meant.empty() ? "; tauprof --help lists the commands" : meant);
  }
  std::vector<std::string> options;
  for (const CLI::Option* option : app_->get_subcommand(first)->get_options())
    for (const std::string& name : names_of(*option)) options.push_back(name);
  const std::string help = "; tauprof " + first + " --help lists the options";
  const std::string unknown = unknown_option(words, options);
  if (unknown.empty()) return first + ": " + reason + (reason.ends_with("?") ? std::string() : help);
  const std::string meant = suggestion(unknown, options);
  return first + ": unknown option " + unknown + (meant.empty() ? help : meant);
}

int CommandLine::run(std::vector<std::string> words) {
  words = with_empty_values(words);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
  try {
    app_->parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_->exit(error) == 0 ? kDone : kWrongUsage;
    spdlog::error("{}", complaint(words, error.what()));
    return kWrongUsage;
  }
  return state_.exit_code;
}

}  // namespace tauprof
