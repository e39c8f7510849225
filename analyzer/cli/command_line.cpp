#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/exit_status.h"

namespace tauprof {

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::one_of(const std::vector<std::string>& choices) {
  option_->check(CLI::IsMember(choices));
  return *this;
}

CommandOption& CommandOption::not_negative() {
  option_->check(CLI::NonNegativeNumber);
  return *this;
}

CommandOption& CommandOption::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

CommandOption& CommandOption::existing_file() {
  option_->check(CLI::ExistingFile);
  return *this;
}

CommandOption& CommandOption::only_with(const char* other_option) {
  option_->needs(other_option);
  return *this;
}

CommandOption& CommandOption::check(std::function<std::string(const std::string&)> complaint) {
  option_->check(std::move(complaint));
  return *this;
}

CommandOption Command::option(const char* names, std::string& value, const char* meaning) {
  return CommandOption(app_->add_option(names, value, meaning));
}

CommandOption Command::option(const char* names, std::vector<std::string>& values, const char* meaning) {
  return CommandOption(app_->add_option(names, values, meaning));
}

CommandOption Command::option(const char* names, uint64_t& value, const char* meaning) {
  return CommandOption(app_->add_option(names, value, meaning));
}

CommandOption Command::option(const char* names, std::optional<double>& value, const char* meaning) {
  return CommandOption(app_->add_option(names, value, meaning));
}

CommandOption Command::flag(const char* names, bool& value, const char* meaning) {
  return CommandOption(app_->add_flag(names, value, meaning));
}

CommandOption Command::each(const char* names, std::function<void(const std::string&)> take, const char* meaning) {
  return CommandOption(app_->add_option_function<std::string>(names, std::move(take), meaning)->trigger_on_parse());
}

CommandOption Command::each(const char* names, std::function<void()> take, const char* meaning) {
  return CommandOption(app_->add_flag_callback(names, std::move(take), meaning)->trigger_on_parse());
}

void Command::footer(const char* text) { app_->footer(text); }

void Command::run(std::function<int()> body) {
  app_->callback([body = std::move(body), exit_code = exit_code_] { *exit_code = body(); });
}

CommandLine::CommandLine(const char* name, const char* meaning, const char* version)
    : app_(std::make_unique<CLI::App>(meaning, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const char* name, const char* meaning) {
  return Command(app_->add_subcommand(name, meaning), &exit_code_);
}

int CommandLine::run(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app_->parse(words);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? kDone : kWrongUsage;
  }
  return exit_code_;
}

}  // namespace tauprof
