// How the text report is to look, and what of the run it is to show.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tauprof {

inline constexpr size_t kUsualWidth = 100;

struct TextStyle {
  size_t width = kUsualWidth;  // columns
  bool is_coloured = false;
  std::vector<std::string> sections;  // names (report/sections.h); empty: the verdict alone
};

// Colours for a terminal. They come last: texts from logs cannot bring any.
// Titles bold, failures red, warnings yellow, what is fine green.
std::string coloured(const std::string& text);

}  // namespace tauprof
