// The patterns in rules: `*` matches any characters, `?` matches one; case does not matter.
#pragma once

#include <string_view>

namespace tauprof {

bool fits_pattern(std::string_view pattern, std::string_view text);

}  // namespace tauprof
