#include "capture/framework/untraced.h"

#include <dlfcn.h>

namespace tauprof::capture {

Untraced::Untraced() : thread_(nullptr), leave_(nullptr) {
  const auto current = reinterpret_cast<void* (*)()>(dlsym(RTLD_DEFAULT, "PyThreadState_Get"));
  const auto enter = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "PyThreadState_EnterTracing"));
  leave_ = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "PyThreadState_LeaveTracing"));
  if (current == nullptr || enter == nullptr || leave_ == nullptr) return;
  thread_ = current();
  enter(thread_);
}

Untraced::~Untraced() {
  if (thread_ != nullptr) leave_(thread_);
}

}  // namespace tauprof::capture
