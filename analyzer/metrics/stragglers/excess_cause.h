// The cause that an excess on a row of the ledger indicates.
#pragma once

#include "metrics/stragglers/cause.h"
#include "model/rank_timeline.h"

namespace tauprof {

// Facts that tell causes of one row apart.
struct BesidePeers {
  Cause computing = Cause::kSlowCompute;  // as why_longer (more_work.h)
  bool copies_input_longer = false;       // as InputTimes::explain
  bool copies_more = false;
};
Cause cause_of(LedgerRow row, const BesidePeers& rank);

// Whether a rank copied so much more than its peers that it copied for longer because of that.
bool copies_more(const SpentTime& own, const SpentTime& typical);

}  // namespace tauprof
