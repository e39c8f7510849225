#include "capture/framework/python_api.h"

#include "capture/loader/loaded_definition.h"

namespace tauprof::capture {

PythonApi python;

bool find_python() {
  if (python.none != nullptr) return true;
#define TAUPROF_PYTHON(Result, name, ...)                                       \
  python.name = reinterpret_cast<decltype(python.name)>(global_definition(#name)); \
  if (python.name == nullptr) return false;
#include "capture/framework/python_functions.def"
#undef TAUPROF_PYTHON
  python.none = static_cast<PyObject*>(global_definition("_Py_NoneStruct"));
  return python.none != nullptr;
}

}  // namespace tauprof::capture
