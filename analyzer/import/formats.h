// The formats of other tools that can be imported.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "import/input_kind.h"
#include "import/log_place.h"
#include "model/operation_trace.h"
#include "model/status.h"

namespace tauprof {

struct ImportRequest {
  std::vector<std::string> sources;
  LogPlace place;
  // Whether an operation trace can be analysed. What cannot is not imported.
  std::function<Status(const OperationTrace&)> check_operations;
};

struct ImportResult {
  std::vector<std::string> messages;  // one line each, about single files
  std::vector<std::string> logs;      // that were written
  std::vector<std::string> sources;   // of the logs
  size_t failed_files = 0;            // of which nothing was imported
  size_t damaged_files = 0;           // imported in part
  std::string counts;                 // "4 ranks, 1 run, 27158 events"
  std::vector<std::string> details;   // further lines: what was imported, and what was not
};

struct ImportFormat {
  std::string_view name;
  InputKind kind;
  std::string_view traces;  // "traces of the PyTorch profiler"
  std::string_view files;   // how they come: ".json, .json.gz"
  std::string_view folder;  // the contents of a directory of them: "one trace per rank"
  // Fails only if nothing can be imported.
  Status (*import)(const ImportRequest& request, ImportResult& result);
};

std::span<const ImportFormat> import_formats();

// Whether what is analysed of a file of this kind has to be imported.
bool is_imported(InputKind kind);

// "traces of the PyTorch profiler, SQLite exports of nsys, operation traces": whatever is read beside logs.
std::string traces_of_all_formats();

// "4 ranks"
std::string counted(uint64_t count, std::string_view one, std::string_view many);

}  // namespace tauprof
