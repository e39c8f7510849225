// `tauprof import kineto`: turns PyTorch profiler traces into logs, one per file.
//
// For each file, one thread reads and splits, and another parses and writes; several files are imported at once. A log
// is written under a hidden name and renamed at the end of the import, because its run depends on the other files.
#pragma once

#include <string>
#include <vector>

#include "import/import_counts.h"
#include "import/log_place.h"
#include "model/status.h"

namespace tauprof::kineto {

// `sources`: traces, and directories of them. Fails only if nothing can be imported: there are no traces, or no
// directory to write to.
Status import_kineto(const std::vector<std::string>& sources, const LogPlace& place, ImportSummary& summary);

}  // namespace tauprof::kineto
