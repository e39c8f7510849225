// The functions of CPython's C interface that the recorder calls, found in the process that runs Python. All belong to
// the stable interface, except Py_AddPendingCall, which every version has.
#pragma once

#include <stddef.h>

namespace tauprof::capture {

struct PyObject;

// A function with positional arguments as C sees it (METH_FASTCALL), and its description for Python.
using PythonFunction = PyObject* (*)(PyObject* self, PyObject* const* arguments, ptrdiff_t count);
struct PythonMethod {
  const char* name;
  PythonFunction function;
  int flags;
  const char* documentation;
};
inline constexpr int kFastCall = 0x0080;
inline constexpr int kFileInput = 257;  // Py_file_input

struct PythonApi {
#define TAUPROF_PYTHON(Result, name, ...) Result (*name)(__VA_ARGS__);
#include "capture/framework/python_functions.def"
#undef TAUPROF_PYTHON
  PyObject* none;
};

// Finds them once; false while the process has no Python, or one that lacks some.
bool find_python();
// Valid once find_python() returned true.
extern PythonApi python;

}  // namespace tauprof::capture
