// The text of rules/ranges.rules, built into the program.
#pragma once

#include <string_view>

namespace tauprof {

extern const std::string_view kShippedRules;

}  // namespace tauprof
