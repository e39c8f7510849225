#include "capture/framework/vectorcall.h"

#include <stdint.h>
#include <string.h>

#include "capture/loader/loaded_definition.h"

namespace tauprof::capture {
namespace {

constexpr long kOffsetInType = 56;  // of tp_vectorcall_offset, since 3.8
constexpr unsigned long kHasVectorcall = 1ul << 11;

// The interpreter's own answers. The caller holds the GIL.
struct Answers {
  CallFunction (*function_of)(PyObject* object);  // of any object; null before 3.11
  CallFunction of_functions;                      // of those written in Python; null where it is not exported
};
Answers g_answers;

// How many bytes objects of a type have at least; 0: it does not say.
long size_of_objects(PyObject* type) {
  PyObject* const size = python.PyObject_GetAttrString(type, "__basicsize__");
  const long bytes = size != nullptr ? python.PyLong_AsLong(size) : 0;
  if (size != nullptr) python.Py_DecRef(size);
  python.PyErr_Clear();
  return bytes > 0 ? bytes : 0;
}

template <class Value>
bool read(PyObject* object, PyObject* type, long offset, Value& value) {
  if (offset <= 0 || offset + static_cast<long>(sizeof value) > size_of_objects(type)) return false;
  memcpy(&value, reinterpret_cast<const char*>(object) + offset, sizeof value);
  return true;
}

// 0: its type has none.
long offset_in(PyObject* type) {
  PyObject* const type_of_type = python.PyObject_Type(type);
  if (type_of_type == nullptr) return python.PyErr_Clear(), 0;
  long offset = 0;
  const bool has =
      (python.PyType_GetFlags(type) & kHasVectorcall) != 0 && read(type, type_of_type, kOffsetInType, offset);
  python.Py_DecRef(type_of_type);
  return has && offset % static_cast<long>(sizeof(void*)) == 0 ? offset : 0;
}

bool is_function_of(PyObject* object, CallFunction found) {
  return found == (g_answers.function_of != nullptr ? g_answers.function_of(object) : g_answers.of_functions);
}

}  // namespace

void find_vectorcall() {
  g_answers = {reinterpret_cast<CallFunction (*)(PyObject*)>(global_definition("PyVectorcall_Function")),
               reinterpret_cast<CallFunction>(global_definition("_PyFunction_Vectorcall"))};
}

CallFunction* find_call_pointer(PyObject* object) {
  PyObject* const type = python.PyObject_Type(object);
  if (type == nullptr) return python.PyErr_Clear(), nullptr;
  const long offset = offset_in(type);
  CallFunction found = nullptr;
  const bool is_there = read(object, type, offset, found) && found != nullptr && is_function_of(object, found);
  python.Py_DecRef(type);
  return is_there ? reinterpret_cast<CallFunction*>(reinterpret_cast<char*>(object) + offset) : nullptr;
}

}  // namespace tauprof::capture
