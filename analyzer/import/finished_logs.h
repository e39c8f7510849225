// The end of an import: which logs are of one run is known when all are written. Then each gets its header and its
// name.
#pragma once

#include <string_view>
#include <vector>

#include "import/file_import.h"
#include "import/import_counts.h"
#include "import/log_place.h"

namespace tauprof::kineto {

// `outcomes`: of the jobs. `format` starts the ids of the runs.
void finish_logs(const std::vector<FileJob>& jobs, std::vector<FileOutcome>& outcomes, std::string_view format,
                 const LogPlace& place, ImportSummary& summary);

}  // namespace tauprof::kineto
