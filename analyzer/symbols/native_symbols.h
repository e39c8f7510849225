// Names the native frames of a trace: function, and file and line where debug information is there, from
// the files that the frames lie in, as they are now. A file that has been built anew since, by its build id,
// is not asked: it would answer wrongly.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "model/process_trace.h"

namespace tauprof {

// One for all traces of a run: its processes have loaded the same files, which can take a second each to open, and
// stopped at the same places. Any thread may name.
class NativeSymbols {
 public:
  NativeSymbols();
  ~NativeSymbols();

  // Only frames that have no function yet. Those that cannot be named keep their module and offset.
  void name_frames(ProcessTrace& trace);

 private:
  class SymbolFile;
  SymbolFile& file(const std::string& path, const std::string& build_id);

  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<SymbolFile>> files_;  // by path and build id
};

}  // namespace tauprof
