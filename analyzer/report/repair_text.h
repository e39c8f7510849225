// The repairs: each finding of the verdict with its evidence, place, advice, and the step that it leaves.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

// In at most `most_lines` lines: the largest ones in full, others with their title, the rest counted.
std::string repairs_text(const Report& report, size_t width, size_t most_lines);

}  // namespace tauprof
