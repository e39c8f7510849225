// Which steps a page has with all their spans, and which in short: those lie beside the page in full.
#pragma once

#include "html/page_timeline.h"

namespace tauprof {

// Moves what is too much for the page to PageTimeline::beside. As given, all steps are whole. Steps without a reason
// are put in short, where all together have more spans than a page.
void shorten_steps(PageTimeline& timeline);

}  // namespace tauprof
