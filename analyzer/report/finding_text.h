// The last section of the text report: findings, with their evidence and advice.
#pragma once

#include <string>
#include <vector>

#include "findings/finding.h"

namespace tauprof {

std::string findings_text(const std::vector<Finding>& findings);

}  // namespace tauprof
