// Many tests at once: of a hundred kernels that did not change, five would seem to.
//
// Benjamini and Hochberg ("Controlling the false discovery rate", Journal of the Royal Statistical Society B 57, 1995):
// the k-th smallest of n p-values is multiplied by n/k, and no adjusted value exceeds those after it. What is then
// below 0.05 is by chance in one of twenty cases. Example: 0.01, 0.04, 0.2 become 0.03, 0.06, 0.2.
#pragma once

#include <vector>

namespace tauprof {

// In the order of `p`.
std::vector<double> adjusted_for_many(const std::vector<double>& p);

}  // namespace tauprof
