// Where reports go, and in which form: standard output, files, the page and the file beside it. A failure is one line
// on stderr.
#pragma once

#include <string>

#include "html/page_timeline.h"
#include "report/report.h"
#include "report/text_style.h"

namespace tauprof {

// To standard output; false if that failed.
bool print_report(const std::string& text);
// To a file, for "-" to standard output, for "" nowhere; false if that failed.
bool write_report(const std::string& path, const std::string& text);
// Whether `write_report` can be expected to succeed: asked before the work.
bool can_write_report(const std::string& path);

// As wide as COLUMNS says where it is exported, else as the terminal, else the usual width; coloured on a terminal
// unless NO_COLOR is set (no-color.org) or TERM is dumb.
TextStyle style_of_stdout();

// Writes the report's page, and the file beside it where there is more than a page holds.
// `path`: "-" is standard output, where nothing can lie beside. Complains and returns false if it cannot be written.
bool write_page(const std::string& path, const Report& report, const PageTimeline& timeline);

}  // namespace tauprof
