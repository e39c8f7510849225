// The time that ranks spend in a step: one rank by itself, and what is typical of several.
#pragma once

#include <cstddef>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

// A rank's own time in a step, row by row of the ledger, without communication.

// Whether time on the row is a rank's own, and not the network's or its peers'.
bool is_own(size_t row);

SpentTime load_of(const RankStep& step);

// Typical spending of ranks: the lower median on each row and of each measure by itself; of two, the lower.

struct Spending {
  SpentTime device;
  HostSpending host;
  bool has_host = false;
  double exchanged = 0;  // bytes in all-to-alls, those at both ends included (more_work.h)
};

// Of at least one.
SpentTime lower_median(const std::vector<SpentTime>& spent);
// `weights`: how much each counts; none, or all 0: all the same.
Spending lower_median(const std::vector<Spending>& spent, const std::vector<double>& weights = {});

}  // namespace tauprof
