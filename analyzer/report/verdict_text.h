// The answer first, in at most 25 lines that stand alone: the run, the verdict, where the step goes, what to repair
// with the step that remains, and the checks.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"
#include "report/text_style.h"

namespace tauprof {

inline constexpr size_t kScreenLines = 25;

std::string verdict_text(const Report& report, const TextStyle& style, size_t most_lines = kScreenLines);

}  // namespace tauprof
