// The last section of the text report: findings, with their evidence and advice.
#pragma once

#include <string>
#include <vector>

#include "findings/savings.h"

namespace tauprof {

std::string findings_text(const std::vector<Finding>& findings, const Savings& savings);

}  // namespace tauprof
