#include "capture/framework/untraced.h"

#include "capture/loader/loaded_definition.h"

namespace tauprof::capture {

namespace {

struct Functions {
  void* (*current)();
  void (*enter)(void*);
  void (*leave)(void*);
};

// Found once. The caller holds the GIL.
const Functions& functions() {
  static Functions found;
  static bool is_known = false;
  if (is_known) return found;
  found.current = reinterpret_cast<void* (*)()>(global_definition("PyThreadState_Get"));
  found.enter = reinterpret_cast<void (*)(void*)>(global_definition("PyThreadState_EnterTracing"));
  found.leave = reinterpret_cast<void (*)(void*)>(global_definition("PyThreadState_LeaveTracing"));
  is_known = true;
  return found;
}

}  // namespace

Untraced::Untraced() : thread_(nullptr) {
  const Functions& python = functions();
  if (python.current == nullptr || python.enter == nullptr || python.leave == nullptr) return;
  thread_ = python.current();
  python.enter(thread_);
}

Untraced::~Untraced() {
  if (thread_ != nullptr) functions().leave(thread_);
}

}  // namespace tauprof::capture
