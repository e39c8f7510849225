// All that a priced finding says: what its finder said, its parts and the replay.
#pragma once

#include <string>

#include "findings/finding.h"

namespace tauprof {

Statement evidence_of(const Finding& finding);
// Who it is does not tell why: where a part does, what to do is the part's.
const Statement& advice_of(const Finding& finding);

// Its own place, or the first that one of its parts has.
struct FindingWhere {
  std::string place;  // empty: not known
  double share = 0;   // of the finding's time, what lies there; 0: not known
};
FindingWhere where_of(const Finding& finding);

}  // namespace tauprof
