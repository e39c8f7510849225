// Names the native frames of a trace by the files that they lie in: function, and source line if the file has debug
// information. The files are read as they are now. One that was rebuilt since, as its build id shows, is not used: it
// would give wrong answers.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "model/process_trace.h"

namespace tauprof {

// One object serves all traces of a run, as its processes load the same files, each of which can take a second to open.
// Any thread may call it.
class NativeSymbols {
 public:
  NativeSymbols();
  ~NativeSymbols();

  // Names only frames that have no function yet. Those that it cannot name keep their module and offset.
  void name_frames(ProcessTrace& trace);

 private:
  class SymbolFile;
  SymbolFile& file(const std::string& path, const std::string& build_id);

  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<SymbolFile>> files_;  // by path and build id
};

}  // namespace tauprof
