// Where imported logs go: their directory, their names, and the id of their run.
#pragma once

#include <string>
#include <string_view>

#include "model/status.h"

namespace tauprof {

// Makes the directory and those above it.
Status make_log_directory(const std::string& directory);

// Different for every import, so traces that are imported twice are two runs.
std::string import_id(std::string_view format);

// Renames the finished log to a name that starts with `stem` and that nothing else has, and returns the name; empty if
// that fails.
std::string publish_log(const std::string& log, const std::string& directory, std::string_view stem);

}  // namespace tauprof
