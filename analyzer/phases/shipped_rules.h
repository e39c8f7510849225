// The files in rules/, built into the program, in the order in which they apply.
#pragma once

#include <array>
#include <string_view>

namespace tauprof {

struct ShippedRules {
  const char* name;
  std::string_view text;
};

extern const std::array<ShippedRules, 2> kShippedRules;

}  // namespace tauprof
