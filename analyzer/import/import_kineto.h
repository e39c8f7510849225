// `tauprof import kineto`: PyTorch profiler traces become logs, one a file.
//
// Each file is read and split on one thread and parsed and written on another; several files run at
// the same time. A log is written under a hidden name and gets its own when all of the import is
// done, because the run that it belongs to depends on the other files.
#pragma once

#include <string>
#include <vector>

#include "import/import_counts.h"
#include "model/status.h"

namespace tauprof::kineto {

struct ImportSummary {
  std::vector<std::string> messages;  // one line each, for stderr
  std::vector<std::string> logs;      // what was written, in the order of the sources
  size_t failed_files = 0;
  size_t ranks = 0;
  size_t runs = 0;
  ImportCounts counts;
};

// Fails when nothing can even be tried: no sources, no directory to write to.
Status import_kineto(const std::string& source, const std::string& directory, ImportSummary& summary);

}  // namespace tauprof::kineto
