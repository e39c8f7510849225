// Writes the report's page, and the file beside it where there is more than a page holds.
#pragma once

#include <string>

#include "html/page_timeline.h"
#include "report/report.h"

namespace tauprof {

// `path`: "-" is standard output, where nothing can lie beside. Complains and returns false if it cannot be written.
bool write_page(const std::string& path, const Report& report, const PageTimeline& timeline);

}  // namespace tauprof
