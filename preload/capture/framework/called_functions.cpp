#include <string.h>

#include "capture/framework/python_calls.h"
#include "capture/framework/row_functions.h"
#include "capture/framework/torch_marks.h"
#include "capture/framework/vectorcall.h"
#include "capture/loader/loaded_definition.h"

namespace tauprof::capture {
namespace {

// Of a row. Guarded by the GIL.
struct Subject {
  long place;
  char name[20];
};
Subject g_subjects[kMostRows];

CallFunction g_standard;                         // of every function that nobody has changed
void (*g_set_pointer)(PyObject*, CallFunction);  // null before 3.12

bool is_text(PyObject* object, const char* text) {
  ptrdiff_t size = 0;
  const char* const bytes = python.PyUnicode_AsUTF8AndSize(object, &size);
  if (bytes == nullptr) python.PyErr_Clear();
  return bytes != nullptr && strcmp(bytes, text) == 0;
}

// Null: it is not among them.
PyObject* subject_of(const Subject& subject, const GivenArguments& given) {
  if (subject.place < 0) return nullptr;
  if (subject.place < given.count) return given.values[subject.place];
  const ptrdiff_t named = given.names != nullptr ? python.PyTuple_Size(given.names) : 0;
  for (ptrdiff_t i = 0; i < named; ++i)
    if (is_text(python.PyTuple_GetItem(given.names, i), subject.name)) return given.values[given.count + i];
  return nullptr;
}

// Not inlined: what it needs of the stack is free while the function runs.
__attribute__((noinline)) void note_start(long row, PyObject* const* arguments, size_t count, PyObject* names) {
  const GivenArguments given = {arguments, static_cast<ptrdiff_t>(count & ~kSpareSlot), names};
  enter_call(row, subject_of(g_subjects[row], given), &given);
}

__attribute__((noinline)) PyObject* call(long row, PyObject* function, PyObject* const* arguments, size_t count,
                                         PyObject* names) {
  note_start(row, arguments, count, names);
  PyObject* const result = g_standard(function, arguments, count, names);
  leave_call(row);
  return result;
}

bool set_subject(Subject& subject, PyObject* place, PyObject* name) {
  ptrdiff_t size = 0;
  const char* const text = python.PyUnicode_AsUTF8AndSize(name, &size);
  if (text == nullptr || size >= static_cast<ptrdiff_t>(sizeof subject.name)) return false;
  memcpy(subject.name, text, static_cast<size_t>(size) + 1);
  subject.place = python.PyLong_AsLong(place);
  return true;
}

bool pass_calls_of(PyObject* function, long row, PyObject* place, PyObject* name) {
  CallFunction* const pointer = find_call_pointer(function);
  if (pointer == nullptr || *pointer != g_standard || row < 0 || row >= kMostRows) return false;
  if (!set_subject(g_subjects[row], place, name)) return false;
  const CallFunction ours = one_for_each_row<call>.of[row];
  if (g_set_pointer != nullptr)
    g_set_pointer(function, ours);
  else
    *pointer = ours;
  return true;
}

PyObject* pass_calls(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  const bool is_done =
      count == 4 && pass_calls_of(arguments[0], python.PyLong_AsLong(arguments[1]), arguments[2], arguments[3]);
  python.PyErr_Clear();
  return python.PyBool_FromLong(is_done);
}

PythonMethod g_method = {"pass_calls", pass_calls, kFastCall, nullptr};

}  // namespace

bool add_called_functions(PyObject* recorder, PyObject* unchanged) {
  CallFunction* const pointer = find_call_pointer(unchanged);
  if (pointer == nullptr) return false;
  g_standard = *pointer;
  g_set_pointer = reinterpret_cast<decltype(g_set_pointer)>(global_definition("PyFunction_SetVectorcall"));
  return add_method(recorder, g_method);
}

}  // namespace tauprof::capture
