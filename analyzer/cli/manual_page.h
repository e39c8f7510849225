// The manual page tauprof(1), from the same descriptions as --help.
#pragma once

#include <string>
#include <vector>

#include "cli/command_description.h"

namespace tauprof {

// In roff, for man(7)'s macros.
std::string manual_page(const std::vector<CommandDescription>& commands, const std::string& version);

}  // namespace tauprof
