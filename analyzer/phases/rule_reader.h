// Reads the lines of a rule file (phase_rules.h).
#pragma once

#include <string>
#include <string_view>

#include "model/status.h"
#include "phases/rule.h"

namespace tauprof {

// Appends to `rules`. `source`: the file's name in errors, which also name the line.
Status read_rules(const std::string& source, std::string_view text, RuleLists& rules);

}  // namespace tauprof
