// The words with which another command is about the same run, for a shell.
#pragma once

#include <string>

#include "pipeline/replayed_run.h"

namespace tauprof {

// "logs"
std::string logs_of(const std::vector<std::string>& paths);

// "--run 7f --steps 10:20"; empty: nothing was chosen.
std::string options_of(const RunChoice& choice);

}  // namespace tauprof
