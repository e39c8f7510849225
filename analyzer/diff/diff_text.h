// A comparison for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "diff/diff.h"

namespace tauprof {

std::vector<std::string_view> diff_section_names();

// "ranks,kernels" as names of sections; empty with `complaint` set if one is not known.
std::vector<std::string> parse_diff_sections(const std::string& list, std::string& complaint);

// `sections`: what follows the verdict; empty: who and what explains the difference, on one screen.
std::string diff_text(const Diff& diff, const std::vector<std::string>& sections, size_t width);

}  // namespace tauprof
