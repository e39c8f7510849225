// Where imported logs go: their directory, their names, and the id of their run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/progress.h"
#include "model/status.h"

namespace tauprof {

struct LogPlace {
  LogPlace(std::string path) : directory(std::move(path)) {}  // NOLINT: a directory is a place

  std::string directory;
  // Makes a folder in the directory for logs that are not complete, and names it. None: they have hidden names there.
  std::function<Status(const std::string& directory, std::string& folder)> make_folder;
  // No other import goes there, so that the runs can have short ids, the same each time.
  bool is_private = false;
  // The run there that was imported from a source with this digest; empty: none was. None: nobody asks.
  std::function<std::string(const std::string& digest)> run_of;
  Progress* progress = nullptr;
};

// Fails if all of the sources have been imported there before: they would become a second run of the same.
Status refuse_known(const LogPlace& place, const std::vector<std::string>& sources);

// Makes the directory and the folder for logs that are not complete.
Status prepare(const LogPlace& place, std::string& folder);

// Makes the directory and those above it.
Status make_log_directory(const std::string& directory);

// With it start the ids of the runs of an import. Different for every import into a place that is not private: runs of
// two imports are never taken for one.
std::string import_id(const LogPlace& place, std::string_view format);

// Renames the finished log to a name that starts with `stem` and that nothing else has, and returns the name; empty if
// that fails.
std::string publish_log(const std::string& log, const std::string& directory, std::string_view stem);

// Tells sources of imports apart, whatever they are called: what an import writes down, so that a second one of the
// same source into the same folder is seen.

// Of a file's size, start and end, in hexadecimal: traces with the same are the same, and of large ones little is read.
// Empty if the file cannot be read.
std::string source_digest(const std::string& path);

inline constexpr char kSourceDigest[] = "source_digest";  // the attribute that has it

}  // namespace tauprof
