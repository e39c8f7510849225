// A comparison as JSON (docs/diff.md names every key).
#pragma once

#include <string>

#include "diff/diff.h"

namespace tauprof {

std::string diff_json(const Diff& diff);

}  // namespace tauprof
