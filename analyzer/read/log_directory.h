// The logs of a directory by run, as several runs, restarts and profiler cycles may share a directory.
#pragma once

#include <cstdint>
#include <set>
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
  std::vector<std::string> complaints;  // about what is no log; each says what to do
  uint64_t unreadable = 0;              // .tauprof files that cannot be read at all
  uint64_t foreign = 0;                 // other files
};

// `only`: the names of the files in a directory that are meant; null: all. `paths`: directories and log files. The logs
// of one run may lie in several. Fails if there is no log that can be read, or if one of the paths is not there.
Status find_logs(const std::vector<std::string>& paths, LogDirectory& directory,
                 const std::set<std::string>* only = nullptr);

// The newest run comes last. Of runs that started at the same time (a trace that was imported twice), the one with more
// files is newer.
void sort_by_age(LogDirectory& directory);

}  // namespace tauprof
