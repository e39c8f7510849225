// Gives every device span its class (docs/metrics.md, "Notation"): by the call that launched it, or by its name if the
// call is not known. A kernel of a known communication family counts as communication even after a plain launch; one
// whose name merely speaks of communication is unclassified.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

void classify_spans(ProcessTrace& trace);

}  // namespace tauprof
