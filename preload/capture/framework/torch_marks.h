// PyTorch's own account of its work. Our Python code (preload/python/marks/torch_marks.py) chooses the functions of
// PyTorch that fetch, compute and update; their calls are noted here as ranges and marks of the source kFramework in
// the thread's ring. Ranges of record_function become annotations, as in a torch.profiler trace. docs/log-format.md
// names them.
#pragma once

#include "capture/framework/python_api.h"

namespace tauprof::capture {

// The Python object whose attributes are the functions that torch_marks.py calls; a new reference, null if it cannot be
// made. The caller holds the GIL.
PyObject* new_recorder_object();

// Gives a Python object a function of ours as an attribute. `method` must live as long as the process.
bool add_method(PyObject* object, PythonMethod& method);

inline constexpr long kMostRows = 32;
// The arguments of a call that has no frame yet, as vectorcall has them.
struct GivenArguments {
  PyObject* const* values;  // those by place, then those by name
  ptrdiff_t count;          // of those by place
  PyObject* names;          // a tuple, or null
};

// A call of the row's function (0 to kMostRows - 1) starts, and ends. The caller holds the GIL and keeps the subject,
// if there is one, until the call has been left. `given`: null where the call's frame is the innermost one.
void enter_call(long row, PyObject* subject, const GivenArguments* given);
// It has returned, or an exception is leaving it, which is kept.
void leave_call(long row);

}  // namespace tauprof::capture
