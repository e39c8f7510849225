// The page's timeline as the page's script reads it: columns of integers, starts as differences, names once.
#pragma once

#include <string>

#include "html/page_timeline.h"

namespace tauprof {

std::string timeline_json(const PageTimeline& timeline);

}  // namespace tauprof
