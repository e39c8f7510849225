// A comparison for the terminal.
#pragma once

#include <string>

#include "diff/diff.h"

namespace tauprof {

std::string diff_text(const Diff& diff);

}  // namespace tauprof
