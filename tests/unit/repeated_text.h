// A text again and again, for sequences of events that a letter each stands for.
#pragma once

#include <string>

namespace tauprof {

inline std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace tauprof
