// The report as one HTML file that needs no network: the page, its style and scripts are part of the program, the data
// is the JSON report itself and a timeline of the steps. No text of a log can become markup.
//
// Steps that are in short in the page are whole in a script beside it, which the page loads when one of them is asked
// for: a page that was opened from a disk may load scripts, but read no files. It is complete without that file, and
// says what it does not have.
#pragma once

#include <string>

#include "html/page_timeline.h"
#include "report/report.h"

namespace tauprof {

struct PageFiles {
  std::string page;
  std::string beside;  // empty: the page has it all
};

// `beside`: the name of that file; empty: there can be none.
PageFiles html_page(const Report& report, const PageTimeline& timeline, const std::string& beside);

}  // namespace tauprof
