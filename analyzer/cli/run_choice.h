// Which part of a run a command is about, as its options say.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "model/step_range.h"

namespace tauprof {

// "0,4-7" → {0, 4, 5, 6, 7}; an empty set if the text has another form.
std::set<int32_t> parse_ranks(std::string_view text);
// "A:B", "A:", ":B" or "A"; both ends are included.
std::optional<StepRange> parse_steps(std::string_view text);

}  // namespace tauprof
