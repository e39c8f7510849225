// The parts of the page.
#pragma once

#include <string>
#include <string_view>

#include "html/page_timeline.h"
#include "report/report.h"

namespace tauprof {

// The page without its data, as the build puts it together (assemble_page.cmake). The data goes where @report@ and then
// @timeline@ first stand.
std::string_view embedded_page();

// The data of the terminal's first screen that the JSON report lacks, for the page's first screen: the parts of a step
// by their names there, how much of the run is reported, the checks, the cost of recording, the purpose of each
// communicator, and the step that each repair leaves.
std::string first_screen_json(const Report& report);

// The page's timeline as the page's script reads it: what is known at once, and each step packed by itself, which is
// unpacked when it is shown. Columns of integers; a span starts so and so long after the end of the one before.

// All but the steps' spans. `file`: the name of the file beside the page; `identity`: what it must say to be of this
// page.
std::string timeline_json(const PageTimeline& timeline, const std::string& file, const std::string& identity);

std::string step_json(const ShownStep& step);

// Text as a page can carry it: compressed by gzip, then in base64, which needs no escaping.

// kQuick takes half of the time for a fifth more bytes.
enum class Packing { kSmall, kQuick };

std::string packed_text(std::string_view text, Packing packing = Packing::kSmall);

}  // namespace tauprof
