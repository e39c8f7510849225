// The page's timeline as the page's script reads it: what is known at once, and each step packed by itself, which is
// unpacked when it is shown. Columns of integers; a span starts so and so long after the end of the one before.
#pragma once

#include <string>

#include "html/page_timeline.h"

namespace tauprof {

// All but the steps' spans. `file`: the name of the file beside the page; `identity`: what it must say to be of this
// page.
std::string timeline_json(const PageTimeline& timeline, const std::string& file, const std::string& identity);

std::string step_json(const ShownStep& step);

}  // namespace tauprof
