// Names as rules give them: `*` stands for any characters, `?` for one; upper and lower case are the same.
#pragma once

#include <string_view>

namespace tauprof {

bool fits_pattern(std::string_view pattern, std::string_view text);

}  // namespace tauprof
