#include <stdint.h>
#include <string.h>

#include "capture/framework/python_calls.h"
#include "capture/framework/row_functions.h"
#include "capture/framework/torch_marks.h"
#include "capture/framework/vectorcall.h"

namespace tauprof::capture {
namespace {

bool g_has_first_item[kMostRows];  // the subject is the first item of what an entry is given; guarded by the GIL

void leave_frame(PyObject* guard) {
  const auto row = reinterpret_cast<intptr_t>(python.PyCapsule_GetPointer(guard, nullptr)) - 1;
  auto* const subject = static_cast<PyObject*>(python.PyCapsule_GetContext(guard));
  leave_call(row);
  if (subject != nullptr) python.Py_DecRef(subject);
}

// Null: there is no memory for it.
PyObject* new_guard(long row, PyObject* subject) {
  PyObject* const guard = python.PyCapsule_New(reinterpret_cast<void*>(row + 1), nullptr, &leave_frame);
  if (guard == nullptr) return nullptr;
  if (subject != nullptr) python.Py_IncRef(subject);
  python.PyCapsule_SetContext(guard, subject);
  return guard;
}

PyObject* first_item_of(PyObject* tuple) {
  PyObject* const item = python.PyTuple_GetItem(tuple, 0);  // borrowed
  if (item == nullptr) python.PyErr_Clear();
  return item;
}

// The callable is a functools.partial, which no profiler takes for a call of C and whose pointer no limit of recursion
// stands before.
__attribute__((noinline)) PyObject* enter_frame(long row, PyObject*, PyObject* const* arguments, size_t count,
                                                PyObject*) {
  PyObject* subject = (count & ~kSpareSlot) != 0 ? arguments[0] : nullptr;
  if (subject != nullptr && g_has_first_item[row]) subject = first_item_of(subject);
  enter_call(row, subject, nullptr);
  if (PyObject* const guard = new_guard(row, subject)) return guard;
  python.PyErr_Clear();
  leave_call(row);
  python.Py_IncRef(python.none);
  return python.none;
}

PyObject* make_entry(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  const long row = count == 3 ? python.PyLong_AsLong(arguments[1]) : -1;
  CallFunction* const pointer = row >= 0 && row < kMostRows ? find_call_pointer(arguments[0]) : nullptr;
  if (pointer != nullptr) {
    g_has_first_item[row] = python.PyObject_IsTrue(arguments[2]) > 0;
    *pointer = one_for_each_row<enter_frame>.of[row];
  }
  python.PyErr_Clear();
  return python.PyBool_FromLong(pointer != nullptr);
}

struct Bytes {
  char* content = nullptr;
  ptrdiff_t size = 0;
  explicit Bytes(PyObject* object) {
    if (python.PyBytes_AsStringAndSize(object, &content, &size) != 0) content = nullptr;
  }
};

// The whole code has to be found as it reads before anything is written.
bool replace(PyObject* code, long size, const Bytes& read, long at, const Bytes& run) {
  if (read.content == nullptr || run.content == nullptr || size <= 0 || at < 0 || at + run.size > read.size)
    return false;
  char* const place = reinterpret_cast<char*>(code) + size;
  if (memcmp(place, read.content, static_cast<size_t>(read.size)) != 0) return false;
  memcpy(place + at, run.content, static_cast<size_t>(run.size));
  return true;
}

PyObject* run_instead(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  const bool is_done = count == 5 && replace(arguments[0], python.PyLong_AsLong(arguments[1]), Bytes(arguments[2]),
                                             python.PyLong_AsLong(arguments[3]), Bytes(arguments[4]));
  python.PyErr_Clear();
  return python.PyBool_FromLong(is_done);
}

PythonMethod g_methods[] = {{"make_entry", make_entry, kFastCall, nullptr},
                            {"run_instead", run_instead, kFastCall, nullptr}};

}  // namespace

bool add_reporting_code(PyObject* recorder) {
  for (PythonMethod& method : g_methods)
    if (!add_method(recorder, method)) return false;
  return true;
}

}  // namespace tauprof::capture
