#include "capture/framework/untraced.h"

#include "capture/base/loaded_definition.h"

namespace tauprof::capture {

Untraced::Untraced() : thread_(nullptr), leave_(nullptr) {
  const auto current = reinterpret_cast<void* (*)()>(global_definition("PyThreadState_Get"));
  const auto enter = reinterpret_cast<void (*)(void*)>(global_definition("PyThreadState_EnterTracing"));
  leave_ = reinterpret_cast<void (*)(void*)>(global_definition("PyThreadState_LeaveTracing"));
  if (current == nullptr || enter == nullptr || leave_ == nullptr) return;
  thread_ = current();
  enter(thread_);
}

Untraced::~Untraced() {
  if (thread_ != nullptr) leave_(thread_);
}

}  // namespace tauprof::capture
