// How times are written, in reports and in the words of findings.
#pragma once

#include <string>

namespace tauprof {

// A time in the unit that suits it, with four digits: 12.35 ms.
std::string duration_text(double ns);

}  // namespace tauprof
