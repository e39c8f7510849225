// Names the native frames of a trace: function, and file and line where debug information is there, from
// the files that the frames lie in, as they are now. A file that has been built anew since, by its build id,
// is not asked: it would answer wrongly.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Only frames that have no function yet. Those that cannot be named keep their module and offset.
void name_native_frames(ProcessTrace& trace);

}  // namespace tauprof
