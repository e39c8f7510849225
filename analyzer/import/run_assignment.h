// Which files of an import belong to one run. A profiler that records in cycles leaves several traces of each rank in
// one directory. The k-th traces of all ranks, by time, make up run k:
//   rank 0 at 10 s and 70 s, rank 1 at 11 s and 71 s   → runs {10, 11} and {70, 71}
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/file_import.h"

namespace tauprof::kineto {

// The run of each outcome, counted from 0; -1: it was not imported.
std::vector<int> assign_runs(const std::vector<FileOutcome>& outcomes);

// The name of each source's run, unique among the runs: "iteration_10" where each run has a folder of its own, else its
// number from 1; empty where there is no run.
std::vector<std::string> names_of_runs(const std::vector<std::string>& sources, const std::vector<int>& runs);

// One line for each run in which ranks are missing.
std::vector<std::string> missing_ranks(const std::vector<FileOutcome>& outcomes, const std::vector<int>& runs);

}  // namespace tauprof::kineto
