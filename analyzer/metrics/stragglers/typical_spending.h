// Typical spending of ranks: the lower median on each row and of each measure by itself; of two, the lower.
#pragma once

#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

struct Spending {
  SpentTime device;
  HostSpending host;
  bool has_host = false;
  double exchanged = 0;  // bytes in all-to-alls, those at both ends included (more_work.h)
};

// Of at least one.
SpentTime lower_median(const std::vector<SpentTime>& spent);
Spending lower_median(const std::vector<Spending>& spent);

}  // namespace tauprof
