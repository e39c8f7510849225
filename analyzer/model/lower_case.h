// Names in lower case, to compare them without regard to case.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace tauprof {

inline std::string lower_case(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace tauprof
