// The calling thread's id, cached until a fork.
#include <sys/syscall.h>
#include <unistd.h>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/calling_thread.h"
#include "simgpu/engine/calls/fork.h"

namespace simgpu {

std::int32_t this_thread() {
  CallingThread& thread = calling_thread();
  if (thread.id == 0) {
    watch_forks();
    thread.id = static_cast<std::int32_t>(syscall(SYS_gettid));  // glibc has a name for it from 2.30 on
  }
  return thread.id;
}

}  // namespace simgpu
