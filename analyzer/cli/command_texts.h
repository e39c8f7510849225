// Texts made of the descriptions of commands: --help, completion for shells, the manual page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/command_description.h"

namespace tauprof {

// The output of --help, no wider than the terminal: each option with the values that it takes.

// Of a command.
std::string help_text(const CommandDescription& command, size_t width);

// Of the program: its commands, and its own options.
std::string help_text(const std::string& program, const std::string& meaning,
                      const std::vector<CommandDescription>& commands, size_t width);

// "-o, --output DIR", "--stacks off|slow|all"
std::string heading_of(const OptionDescription& option);

// Scripts with which shells complete tauprof's commands, options and their values.
std::string bash_completion(const std::vector<CommandDescription>& commands);
std::string zsh_completion(const std::vector<CommandDescription>& commands);
std::string fish_completion(const std::vector<CommandDescription>& commands);

// The manual page tauprof(1), from the same descriptions as --help.
// In roff, for man(7)'s macros.
std::string manual_page(const std::vector<CommandDescription>& commands, const std::string& version);

}  // namespace tauprof
