// Scripts with which shells complete tauprof's commands, options and their values.
#pragma once

#include <string>
#include <vector>

#include "cli/command_description.h"

namespace tauprof {

std::string bash_completion(const std::vector<CommandDescription>& commands);
std::string zsh_completion(const std::vector<CommandDescription>& commands);
std::string fish_completion(const std::vector<CommandDescription>& commands);

}  // namespace tauprof
