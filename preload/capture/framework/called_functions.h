// Calls of Python functions through the pointer that each has (vectorcall.h): before Python 3.11 every call takes it,
// and from 3.12 on every call of a function whose pointer was set by PyFunction_SetVectorcall. (3.11 follows it only
// where C calls: see reporting_code.h.) The function stays as it is, and there is no frame.
//
// A call costs some 60 bytes of the thread's stack.
#pragma once

#include "capture/framework/python_api.h"

namespace tauprof::capture {

// Adds to the object that torch_marks.py is given:
//   pass_calls(function, row, place, name)   calls of this function are calls of the row's, whose subject is the
//                                            argument at that place or of that name; place -1: there is none
// It returns True, or False if calls of this function cannot be seen. `unchanged`: any Python function as the
// interpreter makes them. False: this Python's functions have no such pointer; nothing was added. The caller holds the
// GIL.
bool add_called_functions(PyObject* recorder, PyObject* unchanged);

}  // namespace tauprof::capture
