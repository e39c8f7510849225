#include <stdint.h>
#include <string.h>

#include "capture/framework/python_calls.h"
#include "capture/framework/torch_marks.h"
#include "capture/loader/loaded_definition.h"

namespace tauprof::capture {
namespace {

// Functions that only these versions have.
struct FrameApi {
  PyObject* (*PyEval_GetFrame)(void);
  PyObject* (*PyFrame_GetVarString)(PyObject* frame, const char* name);
  PyObject* (*PySequence_GetItem)(PyObject* sequence, ptrdiff_t position);
};
FrameApi g_frames;

struct WatchedCode {
  PyObject* code;    // null: the place is free
  long row;          // as torch_marks.py counts
  char subject[20];  // the local variable; empty: there is none
  bool is_first_item;
};

// Open addressing. All codes are kept, so that no other code object gets the address of one. Guarded by the GIL.
constexpr uint32_t kPlaces = 256, kMostCodes = 128;
WatchedCode g_codes[kPlaces];
uint32_t g_code_count;

// The code's own place, or the free one where it belongs.
WatchedCode& place_of(const PyObject* code) {
  uint32_t place = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(code) >> 5) % kPlaces;
  while (g_codes[place].code != nullptr && g_codes[place].code != code) place = (place + 1) % kPlaces;
  return g_codes[place];
}

PyObject* nothing() {
  python.Py_IncRef(python.none);
  return python.none;
}

// A new reference; null: there is no such variable.
PyObject* subject_of(const WatchedCode& watched) {
  PyObject* const frame = g_frames.PyEval_GetFrame();  // borrowed
  if (frame == nullptr) return nullptr;
  PyObject* value = g_frames.PyFrame_GetVarString(frame, watched.subject);
  if (value != nullptr && watched.is_first_item) {
    PyObject* const item = g_frames.PySequence_GetItem(value, 0);
    python.Py_DecRef(value);
    value = item;
  }
  if (value == nullptr) python.PyErr_Clear();
  return value;
}

void start_call(const WatchedCode& watched) {
  PyObject* const subject = watched.subject[0] != '\0' ? subject_of(watched) : nullptr;
  enter_call(watched.row, subject, nullptr);
  if (subject != nullptr) python.Py_DecRef(subject);
}

// (code, instruction offset)
PyObject* call_started(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  if (count < 1) return nothing();
  const WatchedCode& watched = place_of(arguments[0]);
  if (watched.code != nullptr) start_call(watched);
  return nothing();
}

// (code, instruction offset, result or exception). PY_UNWIND has no event of single functions: each frame of the
// process that an exception leaves comes here.
PyObject* call_ended(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  if (count < 1) return nothing();
  const WatchedCode& watched = place_of(arguments[0]);
  if (watched.code != nullptr) leave_call(watched.row);
  return nothing();
}

bool set_subject(WatchedCode& watched, PyObject* subject) {
  ptrdiff_t size = 0;
  const char* const text = python.PyUnicode_AsUTF8AndSize(subject, &size);
  if (text == nullptr) return false;
  static constexpr char kFirstItem[] = "[0]";
  constexpr ptrdiff_t kFirstItemSize = sizeof kFirstItem - 1;
  watched.is_first_item = size > kFirstItemSize && strcmp(text + size - kFirstItemSize, kFirstItem) == 0;
  if (watched.is_first_item) size -= kFirstItemSize;
  if (size >= static_cast<ptrdiff_t>(sizeof watched.subject)) return false;
  memcpy(watched.subject, text, static_cast<size_t>(size));
  watched.subject[size] = '\0';
  return true;
}

PyObject* watch(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  if (count != 3 || g_code_count == kMostCodes) return nothing();
  WatchedCode& place = place_of(arguments[0]);
  const long row = python.PyLong_AsLong(arguments[1]);
  WatchedCode watched = {arguments[0], row, {}, false};
  if (place.code == nullptr && row >= 0 && row < kMostRows && set_subject(watched, arguments[2])) {
    python.Py_IncRef(watched.code);
    place = watched;
    ++g_code_count;
  }
  python.PyErr_Clear();
  return nothing();
}

PythonMethod g_methods[] = {{"watch", watch, kFastCall, nullptr},
                            {"call_started", call_started, kFastCall, nullptr},
                            {"call_returned", call_ended, kFastCall, nullptr},
                            {"call_unwound", call_ended, kFastCall, nullptr}};

template <typename Function>
bool find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(global_definition(name));
  return function != nullptr;
}

}  // namespace

bool add_monitoring(PyObject* recorder) {
  if (!find(g_frames.PyEval_GetFrame, "PyEval_GetFrame") ||
      !find(g_frames.PyFrame_GetVarString, "PyFrame_GetVarString") ||
      !find(g_frames.PySequence_GetItem, "PySequence_GetItem"))
    return false;
  for (PythonMethod& method : g_methods)
    if (!add_method(recorder, method)) return false;
  return true;
}

}  // namespace tauprof::capture
