// Runs a command as a child process, to which it forwards signals, and returns the status that a shell would report.
#pragma once

#include <string>
#include <vector>

namespace tauprof {

struct CommandOutcome {
  int status = 0;       // 128+n: signal n ended it
  int start_error = 0;  // errno if it could not be started at all
};

CommandOutcome run_command(const std::vector<std::string>& command);

}  // namespace tauprof
