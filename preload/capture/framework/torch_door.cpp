#include "capture/framework/torch_door.h"

#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/messages.h"
#include "capture/base/own_thread.h"
#include "capture/framework/python_api.h"
#include "capture/framework/python_calls.h"
#include "capture/framework/torch_marks.h"
#include "capture/framework/untraced.h"
#include "capture/framework/vectorcall.h"
#include "capture/loader/loaded_library.h"
#include "capture/window/record_window.h"

// The texts of torch_marks.py, torch_settings.py and reporting_code.py, each with a zero at its end.
__asm__(
    ".pushsection .rodata\n"
    "tauprof_torch_marks: .incbin \"" TAUPROF_PYTHON_MARKS
    "/torch_marks.py\"\n"
    ".byte 0\n"
    "tauprof_torch_settings: .incbin \"" TAUPROF_PYTHON_MARKS
    "/torch_settings.py\"\n"
    ".byte 0\n"
    "tauprof_reporting_code: .incbin \"" TAUPROF_PYTHON_MARKS
    "/reporting_code.py\"\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" __attribute__((visibility("hidden"))) const char tauprof_torch_marks[], tauprof_torch_settings[],
    tauprof_reporting_code[];

namespace tauprof::capture {

TorchDoor torch_door;

namespace {

// Between two attempts while PyTorch is not there or still being imported.
constexpr uint64_t kPause = 20'000'000;
// A main thread that has not run the pending call after this long is taken to be blocked.
constexpr uint64_t kBlocked = 1'000'000'000;

enum class Entry { kDone, kTooEarly, kFailed };

// Owns a reference; null: an error has occurred.
class Reference {
 public:
  explicit Reference(PyObject* object) : object_(object) {}
  ~Reference() {
    if (object_ != nullptr) python.Py_DecRef(object_);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }

 private:
  PyObject* object_;
};

// Runs `text` and returns the function `name` that it defines, borrowed from `names`; null: that failed.
PyObject* function_of_text(const char* text, const char* name, PyObject* names) {
  const Reference module_name(python.PyUnicode_FromString("tauprof"));
  if (names == nullptr || !module_name) return nullptr;
  python.PyDict_SetItemString(names, "__builtins__", python.PyEval_GetBuiltins());
  python.PyDict_SetItemString(names, "__name__", module_name.get());
  const Reference code(python.Py_CompileString(text, "<tauprof>", kFileInput));
  if (!code) return nullptr;
  const Reference ran(python.PyEval_EvalCode(code.get(), names, names));
  return ran ? python.PyDict_GetItemString(names, name) : nullptr;
}

// The ways to see calls that this Python offers; torch_marks.py takes one. `function`: any function of ours.
void add_ways(PyObject* recorder, PyObject* function) {
  find_vectorcall();
  add_monitoring(recorder);
  add_called_functions(recorder, function);
  add_reporting_code(recorder);
  python.PyErr_Clear();
}

// The caller holds the GIL.
Entry enter_python() {
  const Reference recorder(new_recorder_object()), names(python.PyDict_New()), more_names(python.PyDict_New());
  PyObject* const note = function_of_text(tauprof_torch_settings, "note", more_names.get());
  PyObject* const start = note != nullptr ? function_of_text(tauprof_torch_marks, "start", names.get()) : nullptr;
  const Reference code_text(python.PyUnicode_FromString(tauprof_reporting_code));
  int is_done = -1;
  if (recorder && start != nullptr && code_text) {
    add_ways(recorder.get(), start);
    const Reference answer(python.PyObject_CallFunctionObjArgs(start, recorder.get(), note, code_text.get(), nullptr));
    if (answer) is_done = python.PyObject_IsTrue(answer.get());
  }
  if (is_done < 0) python.PyErr_Clear();
  return is_done > 0 ? Entry::kDone : is_done == 0 ? Entry::kTooEarly : Entry::kFailed;
}

bool has_torch() {
  char path[4096];
  return find_loaded_library("libtorch_python.so", path, sizeof path);
}

}  // namespace

bool TorchDoor::move(State from, State to) {
  uint32_t expected = from;
  return __atomic_compare_exchange_n(&state_, &expected, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

bool TorchDoor::start() {
  if (!find_python() || !python.Py_IsInitialized()) return false;
  state_ = kWaiting;
  const bool is_there = has_torch();
  if (is_there) ask(now_ns());
  return is_there;
}

void TorchDoor::ask(uint64_t now) {
  asked_at_ = now;
  if (!move(kWaiting, kAsked)) return;
  if (python.Py_AddPendingCall(&TorchDoor::run_pending, this) != 0) move(kAsked, kWaiting);
}

void TorchDoor::follow(uint64_t now) {
  const uint32_t state = __atomic_load_n(&state_, __ATOMIC_ACQUIRE);
  if (state == kWaiting && now >= next_try_) {
    next_try_ = now + kPause;
    if (has_torch()) ask(now);
  } else if (state == kAsked && now - asked_at_ >= kBlocked && !has_thread_) {
    has_thread_ = true;
    pthread_t thread;
    if (start_own_thread(thread, &TorchDoor::run_thread, this) == 0) pthread_detach(thread);
  }
}

int TorchDoor::run_pending(void* self) {
  static_cast<TorchDoor*>(self)->enter();
  return 0;
}

void* TorchDoor::run_thread(void* self) {
  auto& door = *static_cast<TorchDoor*>(self);
  prctl(PR_SET_NAME, "tauprof-python");
  const int state = python.PyGILState_Ensure();
  door.enter();
  python.PyGILState_Release(state);
  return nullptr;
}

// The thread holds the GIL. A pending call that comes after the thread finds nothing to do.
void TorchDoor::enter() {
  if (!move(kAsked, kBusy)) return;
  const Untraced untraced;
  const Entry entry = enter_python();
  if (entry == Entry::kFailed) {
    say(LogLevel::kInfo, Cause::kRecorder, "cannot ask PyTorch for steps and phases");
    record_window.give_up_framework();
  }
  move(kBusy, entry == Entry::kDone ? kIn : entry == Entry::kTooEarly ? kWaiting : kOff);
}

}  // namespace tauprof::capture
