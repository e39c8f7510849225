// Colours for a terminal. They come last: texts from logs cannot bring any.
#pragma once

#include <string>

namespace tauprof {

// Titles bold, failures red, warnings yellow, what is fine green.
std::string coloured(const std::string& text);

}  // namespace tauprof
