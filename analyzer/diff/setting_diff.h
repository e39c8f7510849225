// Settings, versions and facts that the sides do not share.
#pragma once

#include <vector>

#include "diff/diff.h"

namespace tauprof {

std::vector<SettingDiff> compare_settings(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

}  // namespace tauprof
