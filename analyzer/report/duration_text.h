// How times are written, in reports and in the words of findings.
#pragma once

#include <optional>
#include <string>

namespace tauprof {

// A time in the unit that suits it, with four digits: 12.35 ms.
std::string duration_text(double ns);
// One that a replay predicts: with the digits that its error bears, three at most; without a known error two.
// 236.04 ms, off by 1.6 ms: 236 ms; off by 30 ms: 240 ms; nobody knows: 240 ms.
std::string predicted_text(double ns, std::optional<double> error_ns);

}  // namespace tauprof
