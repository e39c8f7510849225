// Callbacks on events of sys.monitoring (Python 3.12 and later): the interpreter itself tells when a watched function
// of PyTorch starts, returns, or is left by an exception. The functions stay as they are, and no Python code of ours
// runs, so torch.compile finds what it finds without the recorder.
#pragma once

#include "capture/framework/python_api.h"

namespace tauprof::capture {

// Adds to the object that torch_marks.py is given:
//   watch(code, row, subject)   calls of this code object are calls of the row's function, whose subject is the local
//                               variable of that name, or the first item of it ("args[0]"), or nothing ("")
//   call_started, call_returned, call_unwound   the callbacks of PY_START, PY_RETURN and PY_UNWIND
// False: this Python cannot say what a subject is; nothing was added. The caller holds the GIL.
bool add_monitoring(PyObject* recorder);

}  // namespace tauprof::capture
