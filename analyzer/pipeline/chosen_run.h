// Which run of a directory is analysed: the one that the user names, else the newest that is complete, else the newest.
// After a restart that failed early, the newest run has the logs of a few ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/status.h"
#include "pipeline/log_source.h"
#include "read/log_directory.h"

namespace tauprof {

// `name`: the directory's, for messages. `id`: the run's that the user names. Fails if there is no such run. Notes in
// one line which run was taken and which others there are.
Status choose_run(const std::string& name, const std::optional<std::string>& id, const LogDirectory& directory,
                  const LogSource& source, const LogRun*& chosen, std::vector<std::string>& notes);

}  // namespace tauprof
