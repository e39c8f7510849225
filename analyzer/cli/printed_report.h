// Where reports go: standard output, files. A failure is one line on stderr.
#pragma once

#include <string>

namespace tauprof {

// To standard output; false if that failed.
bool print_report(const std::string& text);
// To a file, for "-" to standard output, for "" nowhere; false if that failed.
bool write_report(const std::string& path, const std::string& text);
// Whether `write_report` can be expected to succeed: asked before the work.
bool can_write_report(const std::string& path);

}  // namespace tauprof
