// How far a saving may be off by chance, with 95 % confidence.
//
// Examples: a repaired rank does its work as other steps show it. Had other steps been taken, it would take a little
// longer or shorter, and so will the real one. A second replay with other examples shows how much each step varies: of
// n steps, differences with the standard deviation s leave the mean open by t·s/√n (Student's t, n − 1 degrees of
// freedom). Steps that come out the same both times have nothing to do with the repair, and do not count in n for t.
//
// Steps that cannot be replayed: what k known steps of N save on average says what all of them save to within
// t·s·√(1/k − 1/N), as for a sample drawn without replacement. Of two steps that would be anything; then the price is
// about these steps, and RunGraph::limited_to says so.
#pragma once

#include <vector>

namespace tauprof {

// Of the mean; as many steps in both.
double chance_of_examples(const std::vector<double>& steps, const std::vector<double>& with_others);
// `savings`: of each known step, of `all` steps.
double chance_of_unknown_steps(const std::vector<double>& savings, size_t all);

}  // namespace tauprof
