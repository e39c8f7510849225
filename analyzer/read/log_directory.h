// The logs of a directory by run, as several runs, restarts and profiler cycles may share a directory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/status.h"

namespace tauprof {

struct LogRun {
  std::string id;          // empty: the logs name no run
  int64_t started_ns = 0;  // CLOCK_REALTIME of the earliest log; 0: not known
  std::vector<std::string> files;
};

struct LogDirectory {
  std::vector<LogRun> runs;             // the newest comes last
  std::vector<std::string> complaints;  // one line per file that is no log, which says what to do
  uint64_t unreadable = 0;              // .tauprof files that cannot be read at all
  uint64_t foreign = 0;                 // other files
};

// `path`: a directory, or one log file. Fails if there is no log that can be read.
Status find_logs(const std::string& path, LogDirectory& directory);

}  // namespace tauprof
