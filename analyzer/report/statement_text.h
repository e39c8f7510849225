// The one place that writes the values of statements (findings/statement.h) as text.
#pragma once

#include <string>

#include "findings/statement.h"

namespace tauprof {

std::string text_of(const Statement& statement);

// "47.4 %"; what would be "0.0 %" with two digits: "0.031 %".
std::string share_text(double part, int decimals = 1);

}  // namespace tauprof
