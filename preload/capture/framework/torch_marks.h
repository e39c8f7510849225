// What PyTorch does, as it says itself: Python code of ours (preload/python/marks/torch_marks.py) is called around the
// functions of PyTorch that fetch, compute and update, and calls the functions below, which write ranges and marks of
// the source kFramework into the thread's ring. Ranges of record_function become annotations, as in a torch.profiler
// trace. docs/log-format.md names them.
#pragma once

#include "capture/framework/python_api.h"

namespace tauprof::capture {

// The Python object whose attributes are the functions that torch_marks.py calls; a new reference, null if it cannot be
// made. The caller holds the GIL.
PyObject* new_recorder_object();

}  // namespace tauprof::capture
