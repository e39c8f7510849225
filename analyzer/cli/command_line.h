// The command line as the subcommands describe it: their options, flags and checks. CLI11 does the work, but only
// command_line.cpp includes it: its header alone takes a compiler ten seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_description.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tauprof {

// State shared by the parts of a command line.
struct CommandLineState {
  int exit_code = 0;
  std::map<const CLI::Option*, std::vector<std::string>> choices, words;
  std::map<const CLI::Option*, std::string> values;  // the placeholder for one in texts
  std::map<const CLI::Option*, std::string> only_with;
  std::map<const CLI::Option*, bool> are_lists;
};

// One option, to be qualified further. Refers to the command line, which must outlive it.
class CommandOption {
 public:
  CommandOption(CLI::Option* option, CommandLineState* state) : option_(option), state_(state) {}

  CommandOption& required();
  CommandOption& one_of(const std::vector<std::string>& choices);
  // A shell completes these; other values are allowed.
  CommandOption& suggests(const std::vector<std::string>& words);
  // The same where a value is several of them, separated by commas.
  CommandOption& suggests_list(const std::vector<std::string>& words);
  CommandOption& not_negative();  // and not empty, infinite or no number
  CommandOption& positive();      // likewise
  CommandOption& not_empty();
  CommandOption& existing_file();
  CommandOption& only_with(const char* other_option);
  CommandOption& not_with(const char* other_option);
  // `complaint` says what is wrong with a value; empty: nothing is.
  CommandOption& check(std::function<std::string(const std::string&)> complaint);

 private:
  CLI::Option* option_;
  CommandLineState* state_;
};

// One subcommand. The values that its options fill must live until it has run.
class Command {
 public:
  Command(CLI::App* app, CommandLineState* state) : app_(app), state_(state) {}

  // `names`: "-o,--output DIR", or "DIR" for a positional argument. Choices and numbers need no word for the value.
  CommandOption option(const char* names, std::string& value, const char* meaning);
  CommandOption option(const char* names, std::vector<std::string>& values, const char* meaning);
  CommandOption option(const char* names, uint64_t& value, const char* meaning);
  CommandOption option(const char* names, std::optional<double>& value, const char* meaning);
  CommandOption flag(const char* names, bool& value, const char* meaning);
  // May come several times; `take` is called in the order of the command line.
  CommandOption each(const char* names, std::function<void(const std::string&)> take, const char* meaning);
  CommandOption each(const char* names, std::function<void()> take, const char* meaning);

  void footer(const char* text);
  // `body` gives the exit status of the process.
  void run(std::function<int()> body);

 private:
  template <class Value>
  CommandOption add(const char* names, Value& value, const char* meaning, const char* usual_word);

  CLI::App* app_;
  CommandLineState* state_;
};

class CommandLine {
 public:
  static constexpr size_t kUsualWidth = 80;

  // `version`: what --version prints. `width`: of what --help prints.
  CommandLine(const char* name, const char* meaning, const char* version, size_t width = kUsualWidth);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add(const char* name, const char* meaning);

  std::vector<CommandDescription> describe() const;

  // Runs the subcommand that `words` name (the arguments of main without the program's name) and gives the exit status:
  // the subcommand's, 0 after --help and --version, 2 after a line that says what is wrong with the arguments.
  int run(std::vector<std::string> words);

 private:
  // Why the words cannot be a command line, and what may have been meant.
  std::string complaint(const std::vector<std::string>& words, const std::string& reason) const;

  std::unique_ptr<CLI::App> app_;
  CommandLineState state_;
};

}  // namespace tauprof
