// A comparison for continuous integration: as a comment on a pull request, and as a test.
#pragma once

#include <optional>
#include <string>

#include "diff/diff.h"

namespace tauprof {

// The verdict, who and what explains it, and where the difference is.
std::string diff_markdown(const Diff& diff);
// One test, which fails where A is slower by more than chance, and by more than this many per cent if that is given.
std::string diff_junit(const Diff& diff, const std::optional<double>& fail_above);

}  // namespace tauprof
