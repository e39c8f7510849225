// The two formats that hold tables: a SQLite database, and a directory of CSV files. Both have the same tables.
#pragma once

#include <memory>
#include <string>

#include "export/run_writer.h"

namespace tauprof {

// Writes the file `path`, which must be there and empty.
std::unique_ptr<RunWriter> sqlite_writer(const std::string& path);
// Writes files into the directory `path`.
std::unique_ptr<RunWriter> csv_writer(const std::string& path);

}  // namespace tauprof
