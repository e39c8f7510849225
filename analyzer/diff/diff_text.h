// A comparison for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "diff/diff.h"

namespace tauprof {

std::string diff_text(const Diff& diff, size_t width);

}  // namespace tauprof
