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

// Gives a Python object a function of ours as an attribute. `method` must live as long as the process.
bool add_method(PyObject* object, PythonMethod& method);

// The same as Python's calls of enter(row, subject) and leave(row). The caller holds the GIL and keeps the subject,
// which is None where there is none, until the call has been left.
inline constexpr long kMostRows = 64;
void enter_call(PyObject* row, PyObject* subject);
void leave_call(PyObject* row);
// The calls of this thread that are open will not be left one by one.
void forget_calls();

}  // namespace tauprof::capture
