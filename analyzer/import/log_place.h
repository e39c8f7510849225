// Where imported logs go: their directory, their names, and the id of their run.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "model/progress.h"
#include "model/status.h"

namespace tauprof {

struct LogPlace {
  LogPlace(std::string path) : directory(std::move(path)) {}  // NOLINT: a directory is a place

  std::string directory;
  // Makes a folder in the directory for logs that are not complete, and names it. None: they have hidden names there.
  std::function<Status(const std::string& directory, std::string& folder)> make_folder;
  Progress* progress = nullptr;
};

// Makes the directory and the folder for logs that are not complete.
Status prepare(const LogPlace& place, std::string& folder);

// Makes the directory and those above it.
Status make_log_directory(const std::string& directory);

// Different for every import, so traces that are imported twice are two runs.
std::string import_id(std::string_view format);

// Renames the finished log to a name that starts with `stem` and that nothing else has, and returns the name; empty if
// that fails.
std::string publish_log(const std::string& log, const std::string& directory, std::string_view stem);

}  // namespace tauprof
