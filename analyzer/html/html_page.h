// The report as one HTML file that needs no network: the page, its style and scripts are part of the program, the data
// is the JSON report itself and the timeline of a few steps. No text of a log can become markup.
#pragma once

#include <string>

#include "html/page_timeline.h"
#include "report/report.h"

namespace tauprof {

std::string html_page(const Report& report, const PageTimeline& timeline);

}  // namespace tauprof
