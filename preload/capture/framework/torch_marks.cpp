#include "capture/framework/torch_marks.h"

#include <stdint.h>
#include <string.h>

#include "capture/calls/graph_captures.h"
#include "capture/framework/settings.h"
#include "capture/framework/untraced.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/text_table.h"
#include "capture/window/open_ranges.h"
#include "capture/window/record_window.h"

namespace tauprof::capture {
namespace {

enum class Kind : uint8_t { kNone, kRange, kOutermost, kUpdate, kInstant, kOpens, kCloses };

struct KindName {
  const char* name;
  Kind kind;
};
constexpr KindName kKinds[] = {{"range", Kind::kRange},     {"outermost", Kind::kOutermost}, {"update", Kind::kUpdate},
                               {"instant", Kind::kInstant}, {"opens", Kind::kOpens},         {"closes", Kind::kCloses}};

// The part of a step that a row marks, for the window of wanted steps.
enum class Part : uint8_t { kNone, kForward, kBackward, kUpdate, kClearing };
constexpr size_t kParts = 5;

Part part_of(const char* name) {
  if (strcmp(name, "forward") == 0) return Part::kForward;
  if (strcmp(name, "backward") == 0) return Part::kBackward;
  if (strcmp(name, "update") == 0) return Part::kUpdate;
  return strcmp(name, "zero_grad") == 0 ? Part::kClearing : Part::kNone;
}

struct Row {
  Kind kind;
  Part part;
  uint32_t name;
  uint64_t calls;  // that had a subject
};
Row g_rows[kMostRows];

// The calls of this thread that have started and not ended. A call that had started before it was watched ends when
// none is open. Deeper calls are counted only, so that their ends are not taken for those of others.
struct OpenCalls {
  static constexpr uint32_t kDeepest = 60;
  uint32_t depth;
  uint8_t rows[kDeepest];
};
__thread OpenCalls all_open_calls __attribute__((tls_model("initial-exec")));

// How many calls are open on this thread of which only the outermost counts.
struct OpenMarks {
  uint32_t of_part[kParts];
  uint32_t optimizer;  // of the open update
  PyObject* subject;   // of the open call of an instant's row
};
__thread OpenMarks open_marks __attribute__((tls_model("initial-exec")));

uint32_t& open_calls(const Row& row) { return open_marks.of_part[static_cast<size_t>(row.part)]; }

PyObject* g_has_gradients;  // tells whether gradients are on
PyObject* g_told;           // is told of subjects

PyObject* nothing() {
  python.Py_IncRef(python.none);
  return python.none;
}

uint32_t text_of(PyObject* text) {
  ptrdiff_t size = 0;
  const char* const bytes = python.PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return text_table.number_of(bytes, static_cast<size_t>(size));
  python.PyErr_Clear();
  return 0;
}

// Two objects that live at the same time have different numbers.
uint32_t number_of(const PyObject* object) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(object) >> 4); }

uint32_t with_or_without_gradients() {
  PyObject* const answer = python.PyObject_CallFunctionObjArgs(g_has_gradients, nullptr);
  const int has = answer != nullptr ? python.PyObject_IsTrue(answer) : -1;
  if (answer != nullptr) python.Py_DecRef(answer);
  if (has < 0) python.PyErr_Clear();
  return has > 0 ? kWithGradients : has == 0 ? kWithoutGradients : 0;
}

void open_annotation(PyObject* subject) {
  PyObject* const name = python.PyObject_GetAttrString(subject, "name");
  if (name == nullptr) python.PyErr_Clear();
  push_annotation(thread_state, name != nullptr ? text_of(name) : 0);
  if (name != nullptr) python.Py_DecRef(name);
}

// By place, without the first one, which is the object that is called, and by name; a new reference, null if an error
// has occurred.
PyObject* dictionary_of(const GivenArguments& given) {
  PyObject* const all = python.PyDict_New();
  if (all == nullptr) return nullptr;
  const ptrdiff_t named = given.names != nullptr ? python.PyTuple_Size(given.names) : 0;
  for (ptrdiff_t i = 1; i < given.count + named; ++i) {
    const bool is_named = i >= given.count;
    PyObject* const key = is_named ? python.PyTuple_GetItem(given.names, i - given.count)  // borrowed
                                   : python.PyLong_FromLong(static_cast<long>(i - 1));
    if (key != nullptr) python.PyDict_SetItem(all, key, given.values[i]);
    if (key != nullptr && !is_named) python.Py_DecRef(key);
  }
  return all;
}

void tell_of_call(long row, PyObject* subject, const GivenArguments* given) {
  PyObject* const number = python.PyLong_FromLong(row);
  PyObject* const arguments = given != nullptr ? dictionary_of(*given) : nothing();
  if (number != nullptr && arguments != nullptr)
    if (PyObject* const answer = python.PyObject_CallFunctionObjArgs(g_told, number, subject, arguments, nullptr))
      python.Py_DecRef(answer);
  if (number != nullptr) python.Py_DecRef(number);
  if (arguments != nullptr) python.Py_DecRef(arguments);
}

// Runs Python code of ours, which no tracer sees where that can be had. An exception that is leaving the program's
// function stays as it is.
void tell(long row, PyObject* subject, const GivenArguments* given) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  python.PyErr_Fetch(&type, &value, &traceback);
  {
    const OwnCalls own;
    const Untraced untraced;
    tell_of_call(row, subject, given);
  }
  python.PyErr_Restore(type, value, traceback);  // clears ours
}

bool is_power_of_two(uint64_t number) { return (number & (number - 1)) == 0; }

// Settings may change, but asking at every call would cost the program.
void tell_now_and_then(Row& row, long number, PyObject* subject, const GivenArguments* given) {
  if (subject != python.none && is_power_of_two(++row.calls)) tell(number, subject, given);
}

// A captured update happens whenever its graph is launched.
void end_update(uint32_t optimizer) {
  if (graph_captures.is_any_open())
    graph_captures.add_update(optimizer);
  else
    record_window.update_ends(optimizer);
}

void end_instant(const Row& row, long number) {
  PyObject* const subject = open_marks.subject;
  open_marks.subject = nullptr;
  if (subject == nullptr) return;
  mark_of_framework(thread_state, row.name, number_of(subject));
  record_window.optimizer_is_made(number_of(subject));
  tell(number, subject, nullptr);
}

Pass pass_of(Part part, uint32_t gradients) {
  if (part == Part::kForward)
    return gradients == kWithoutGradients ? Pass::kForwardWithout : Pass::kForwardWithGradients;
  return part == Part::kBackward ? Pass::kBackward : Pass::kUpdate;
}

// Captured work runs when its graph is launched.
void start_part(const Row& row, uint32_t object) {
  const bool is_step_part = row.part != Part::kNone && !graph_captures.is_any_open();
  const bool is_pass = is_step_part && row.part != Part::kClearing;
  const Pass pass = pass_of(row.part, object);
  if (is_pass) record_window.pass_starts(pass);
  if (is_step_part && !is_pass) record_window.gradients_are_cleared();
  push_mark(thread_state, row.name, object);
  uint64_t number = 0;
  if (is_pass && record_window.wants_number(pass, number)) mark_step(thread_state, number);
}

void start_call(long number, PyObject* subject, const GivenArguments* given) {
  Row& row = g_rows[number];
  switch (row.kind) {
    case Kind::kRange:
      tell_now_and_then(row, number, subject, given);
      start_part(row, 0);
      break;
    case Kind::kOutermost:
      if (open_calls(row)++ != 0) break;
      tell_now_and_then(row, number, subject, given);
      start_part(row, row.part == Part::kForward ? with_or_without_gradients() : 0);
      break;
    case Kind::kUpdate:
      if (open_calls(row)++ != 0) break;
      tell_now_and_then(row, number, subject, given);
      open_marks.optimizer = number_of(subject);
      start_part(row, open_marks.optimizer);
      break;
    case Kind::kInstant:
      open_marks.subject = subject;
      break;
    case Kind::kOpens:
      open_annotation(subject);
      break;
    default:
      break;
  }
}

void end_call(long number) {
  const Row& row = g_rows[number];
  switch (row.kind) {
    case Kind::kRange:
      pop_mark(thread_state);
      break;
    case Kind::kOutermost:
      if (--open_calls(row) != 0) break;
      pop_mark(thread_state);
      if (row.part == Part::kForward) record_window.forward_ends();
      break;
    case Kind::kUpdate:
      if (--open_calls(row) != 0) break;
      pop_mark(thread_state);
      end_update(open_marks.optimizer);
      break;
    case Kind::kInstant:
      end_instant(row, number);
      break;
    case Kind::kCloses:
      pop_annotation(thread_state);
      break;
    default:
      break;
  }
}

// describe(row, kind, name), before the first call of the row's function.
PyObject* describe(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  if (count != 3) return nothing();
  const long row = python.PyLong_AsLong(arguments[0]);
  ptrdiff_t size = 0;
  const char* const kind = python.PyUnicode_AsUTF8AndSize(arguments[1], &size);
  const char* const name = python.PyUnicode_AsUTF8AndSize(arguments[2], &size);
  if (row < 0 || row >= kMostRows || kind == nullptr || name == nullptr) {
    python.PyErr_Clear();
    return nothing();
  }
  for (const KindName& known : kKinds)
    if (strcmp(known.name, kind) == 0) g_rows[row] = {known.kind, part_of(name), text_of(arguments[2]), 0};
  return nothing();
}

// tell(name, value): a setting.
PyObject* take_setting(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  if (count == 2) settings.set(text_of(arguments[0]), text_of(arguments[1]));
  return nothing();
}

// ask(has_gradients, told), once: whom to ask and whom to tell.
PyObject* ask(PyObject*, PyObject* const* arguments, ptrdiff_t count) {
  if (count != 2) return nothing();
  for (ptrdiff_t i = 0; i < count; ++i) python.Py_IncRef(arguments[i]);
  g_has_gradients = arguments[0];
  g_told = arguments[1];
  return nothing();
}

PythonMethod g_methods[] = {{"describe", describe, kFastCall, nullptr},
                            {"tell", take_setting, kFastCall, nullptr},
                            {"ask", ask, kFastCall, nullptr}};

}  // namespace

bool add_method(PyObject* recorder, PythonMethod& method) {
  PyObject* const function = python.PyCFunction_NewEx(&method, nullptr, nullptr);
  if (function == nullptr) return false;
  const int error = python.PyObject_SetAttrString(recorder, method.name, function);
  python.Py_DecRef(function);
  return error == 0;
}

void enter_call(long row, PyObject* subject, const GivenArguments* given) {
  if (all_open_calls.depth++ >= OpenCalls::kDeepest) return;
  all_open_calls.rows[all_open_calls.depth - 1] = static_cast<uint8_t>(row);
  start_call(row, subject != nullptr ? subject : python.none, given);
}

void leave_call(long row) {
  if (all_open_calls.depth == 0) return;
  if (--all_open_calls.depth >= OpenCalls::kDeepest) return;
  if (all_open_calls.rows[all_open_calls.depth] == row) return end_call(row);
  // Calls that do not nest: the program switches between stacks of one thread, as greenlets do. Which call ends when is
  // then not known.
  all_open_calls.depth = 0;
  open_marks = {};
  drop_marks(thread_state);
}

PyObject* new_recorder_object() {
  PyObject* const recorder = python.PyModule_New("tauprof");
  if (recorder == nullptr) return nullptr;
  for (PythonMethod& method : g_methods) {
    if (add_method(recorder, method)) continue;
    python.Py_DecRef(recorder);
    return nullptr;
  }
  return recorder;
}

}  // namespace tauprof::capture
