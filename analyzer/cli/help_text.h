// The output of --help, no wider than the terminal: each option with the values that it takes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/command_description.h"

namespace tauprof {

// Of a command.
std::string help_text(const CommandDescription& command, size_t width);

// Of the program: its commands, and its own options.
std::string help_text(const std::string& program, const std::string& meaning,
                      const std::vector<CommandDescription>& commands, size_t width);

// "-o, --output DIR", "--stacks off|slow|all"
std::string heading_of(const OptionDescription& option);

}  // namespace tauprof
