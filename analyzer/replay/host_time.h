// What a thread did between two calls, as far as a device idled meanwhile.
#pragma once

#include <vector>

#include "metrics/ledger/idle_cause.h"
#include "model/rank_operations.h"

namespace tauprof {

struct HostTime {
  LedgerRows rows{};
  Nanoseconds on_cpu = 0;  // of stalls

  void add(const std::vector<IdlePiece>& pieces);
  // Gives the operation the row of most of this time.
  void set_row(OperationLabel& between) const;
};

}  // namespace tauprof
