// The analysed steps that prices are about: those in which it is known how long ranks wait in collectives.
//
// A step is not known where a collective of a rank with peers is not split, or where one of its members does not have
// the step: a peer recorded only a part of the run. Nor is one in which clocks contradict each other: waits may be told
// by lengths there, but a replay places operations by clocks. A clock may have jumped since the step before, which ends
// where this one begins, so that is not known either. What is not known has to be more than a negligible part of a
// step.
//
// Where fewer than two steps are known, all stay: what is not known then shows in each question about it.
#pragma once

#include <string>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/step_selection.h"

namespace tauprof {

struct KnownSteps {
  size_t left_out() const { return without_waits + contradicting; }
  // Which of the analysed steps these are, in words; empty: all.
  std::string limited_to() const;

  StepSelection steps;
  size_t without_waits = 0;  // left out, because nothing tells how long ranks wait in their collectives
  size_t contradicting = 0;  // other steps, left out because of clocks
};

// `analysed`: as chosen. Waits have been split.
KnownSteps known_steps(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const StepSelection& analysed);

}  // namespace tauprof
