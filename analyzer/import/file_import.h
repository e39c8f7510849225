// Imports one trace file into one log.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "import/header_patch.h"
#include "import/import_counts.h"

namespace tauprof::kineto {

struct FileJob {
  std::string source;
  std::string log;                              // where to write; must not exist
  int64_t rank_by_name = -1;                    // according to the file's name, or -1
  int64_t rank_by_order = 0;                    // its position among the files of the import
  std::atomic<uint64_t>* read_bytes = nullptr;  // grows while the file is read
};

struct FileOutcome {
  bool is_imported = false;           // otherwise there is no log
  bool is_damaged = false;            // some of the trace is lost
  std::vector<std::string> messages;  // lines for the user, about this file
  int64_t rank = -1;
  int64_t world_size = 0;
  HeaderFacts header;  // all but the run id
  ImportCounts counts;
};

FileOutcome import_file(const FileJob& job);

}  // namespace tauprof::kineto
