// Runs one command as a child: signals that somebody sends to this process reach it, and its status comes back as a
// shell reports it.
#pragma once

#include <string>
#include <vector>

namespace tauprof {

struct CommandOutcome {
  int status = 0;       // 128+n where signal n ended it
  int start_error = 0;  // errno where it could not be started at all
};

CommandOutcome run_command(const std::vector<std::string>& command);

}  // namespace tauprof
