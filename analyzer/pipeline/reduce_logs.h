// Makes timelines of logs, a file for each host (timelines/host_timeline_writer.h).
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/progress.h"
#include "model/status.h"

namespace tauprof {

struct Reduction {
  std::vector<std::string> files;  // that were written
  size_t made = 0;                 // logs
  size_t kept = 0;                 // logs whose timelines were there already
  size_t skipped = 0;              // logs that cannot be read
  bool cannot_write = false;       // the failure is about the output
};

// `only`: the names of the files in a folder that are meant; none: all. `directory` is made if it is not there. The
// timelines of logs that have not changed are kept, also those that an earlier call had completed before it was killed.
// Adds a line to `notes` for everything that was left out.
Status reduce_logs(const std::vector<std::string>& paths, const std::optional<std::set<std::string>>& only,
                   const std::string& directory, Progress* progress, Reduction& reduction,
                   std::vector<std::string>& notes);

// The same of those logs in one directory that this host wrote. Of several calls each waits for those before it, so the
// last one finds all that had been written when any of them was made.
Status reduce_own_logs(const std::string& logs, const std::string& directory, Reduction& reduction,
                       std::vector<std::string>& notes);

}  // namespace tauprof
