// The kind of a file, by its content. Its name may be anything: PyTorch, nsys and their users name files as they like.
#pragma once

#include <cstdint>
#include <string>

namespace tauprof {

enum class InputKind : uint8_t {
  kLog,           // of tauprof
  kTimelines,     // of tauprof: what an analysis keeps of logs
  kTrace,         // of the PyTorch profiler, plain or gzipped
  kOperations,    // an operation trace: a table with its heading
  kNsysDatabase,  // the output of nsys export
  kNsysReport,    // the output of nsys profile; only nsys reads it
  kReport,        // the output of tauprof analyze --json
  kJson,          // none of these, as far as its first megabytes tell
  kOther,
  kUnreadable,
};

InputKind input_kind(const std::string& path);

}  // namespace tauprof
