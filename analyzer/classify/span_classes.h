// Gives every device span its class (docs/metrics.md, "Notation"): by the call that launched it,
// by its name only where no call is known; a communication name promotes a plain launch, a name
// that merely speaks of communication makes it unclassified.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

void classify_spans(ProcessTrace& trace);

}  // namespace tauprof
