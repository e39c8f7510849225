// Which files of one import belong together. A profiler that records in cycles leaves several
// traces of each rank in one directory: the k-th of each rank, by time, make up run k.
//   rank 0 at 10 s and 70 s, rank 1 at 11 s and 71 s   → runs {10, 11} and {70, 71}
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/file_import.h"

namespace tauprof::kineto {

// The run of each outcome, from 0; -1 for those that were not imported.
std::vector<int> assign_runs(const std::vector<FileOutcome>& outcomes);

// One line for each run that lacks ranks of its world.
std::vector<std::string> missing_ranks(const std::vector<FileOutcome>& outcomes, const std::vector<int>& runs);

}  // namespace tauprof::kineto
