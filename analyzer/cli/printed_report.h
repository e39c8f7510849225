// Where reports go: the terminal, files. A failure is one line on stderr.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>

namespace tauprof {

// To standard output; false if that failed.
bool print_report(const std::string& text);
// To a file, or for "-" to standard output; false if that failed.
bool write_report(const std::string& path, const std::string& report);
// Whether reports could be written there, as far as can be told before they are made; empty: none is wanted.
bool can_write_reports(std::initializer_list<std::string> paths);
// A bar on stderr that is gone when all logs are read.
void show_progress(size_t done, size_t total);

}  // namespace tauprof
