// The outcome of an import of traces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "import/import_counts.h"

namespace tauprof::kineto {

struct ImportSummary {
  std::vector<std::string> messages;  // one line each, for stderr
  std::vector<std::string> logs;      // the logs written, in the order of the sources
  std::vector<std::string> sources;   // theirs
  size_t failed_files = 0;
  size_t damaged_files = 0;  // imported in part
  size_t ranks = 0;
  size_t runs = 0;
  ImportCounts counts;
};

}  // namespace tauprof::kineto
