// The cause that an excess on a row of the ledger indicates.
#pragma once

#include "metrics/stragglers/cause.h"
#include "model/rank_timeline.h"

namespace tauprof {

Cause cause_of(LedgerRow row, bool more_work, bool more_bytes);

// Whether a rank copied so much more than its peers that it copied for longer because of that.
bool copies_more(const SpentTime& own, const SpentTime& typical);

}  // namespace tauprof
