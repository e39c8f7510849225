// The pointer that CPython keeps in a callable object and calls through (PEP 590, Python 3.8 and later). A function
// that stands there sees the call and its end, and Python shows no frame for it.
#pragma once

#include "capture/framework/python_api.h"

namespace tauprof::capture {

// `count`: of the arguments by place, which come first, with kSpareSlot where the caller allows writing before them;
// `names`: of the others, a tuple or null.
using CallFunction = PyObject* (*)(PyObject* callable, PyObject* const* arguments, size_t count, PyObject* names);
inline constexpr size_t kSpareSlot = size_t{1} << 63;

// Asks the loader for what find_call_pointer() compares with; once, before it.
void find_vectorcall();

// Where the object has its pointer; null: that cannot be verified in this Python. The interpreter itself has to name
// the function that is found there: as the one that it keeps for every function written in Python, or when it is asked
// for this object's. The caller holds the GIL.
CallFunction* find_call_pointer(PyObject* object);

}  // namespace tauprof::capture
