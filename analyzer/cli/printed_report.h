// Where reports go: the terminal, files. A failure is one line on stderr.
#pragma once

#include <cstddef>
#include <string>

namespace tauprof {

// To standard output; false if that failed.
bool print_report(const std::string& text);
// To a file, or for "-" to standard output; false if that failed.
bool write_json_report(const std::string& path, const std::string& json);
// A bar on stderr that is gone when all logs are read.
void show_progress(size_t done, size_t total);

}  // namespace tauprof
