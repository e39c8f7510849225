// Sees calls of Python functions, in whichever way this Python has.
#pragma once

#include "capture/framework/python_api.h"

namespace tauprof::capture {

// Calls of Python functions through the pointer that each has (vectorcall.h): before Python 3.11 every call takes it,
// and from 3.12 on every call of a function whose pointer was set by PyFunction_SetVectorcall. (3.11 follows it only
// where C calls.) The function stays as it is, and there is no frame.
//
// A call costs some 60 bytes of the thread's stack.
//
// Adds to the object that torch_marks.py is given:
//   pass_calls(function, row, place, name)   calls of this function are calls of the row's, whose subject is the
//                                            argument at that place or of that name; place -1: there is none
// It returns True, or False if calls of this function cannot be seen. `unchanged`: any Python function as the
// interpreter makes them. False: this Python's functions have no such pointer; nothing was added. The caller holds the
// GIL.
bool add_called_functions(PyObject* recorder, PyObject* unchanged);

// Callbacks on events of sys.monitoring (Python 3.12 and later): the interpreter itself tells when a watched function
// of PyTorch starts, returns, or is left by an exception. The functions stay as they are, and no Python code of ours
// runs, so torch.compile finds what it finds without the recorder.
// Adds to the object that torch_marks.py is given:
//   watch(code, row, subject)   calls of this code object are calls of the row's function, whose subject is the local
//                               variable of that name, or the first item of it ("args[0]"), or nothing ("")
//   call_started, call_returned, call_unwound   the callbacks of PY_START, PY_RETURN and PY_UNWIND
// False: this Python cannot say what a subject is; nothing was added. The caller holds the GIL.
bool add_monitoring(PyObject* recorder);

// The C side of code that reports its own calls (preload/python/marks/reporting_code.py, Python 3.11).
//
// The code calls an entry, which notes the start and returns a guard, an object that lies at the bottom of the frame's
// stack. Whatever ends the frame takes the guard from there, and its last reference with it: that is the end.
//
// Adds to the object that torch_marks.py is given:
//   make_entry(callable, row, is_first_item)   the callable becomes the entry of the row; its argument, if any, is
//                                              the subject, or the tuple that starts with it
//   run_instead(code, size, read, at, run)     `code`, an object whose first `size` bytes are followed by instructions
//                                              and which has as many as `read`, runs the bytes `run` at byte `at`
// Both return True, or False if that cannot be had in this Python; nothing has changed then. The caller holds the GIL.
bool add_reporting_code(PyObject* recorder);

}  // namespace tauprof::capture
