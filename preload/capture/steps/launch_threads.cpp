#include "capture/steps/launch_threads.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>

#include "names/autograd_thread.h"

namespace tauprof::capture {
namespace {

LaunchThread g_kinds[LaunchThreads::kMost];
uint32_t g_count;

LaunchThread own_kind() {
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  if (std::string_view(name).starts_with(kAutogradThread)) return LaunchThread::kAutograd;
  return syscall(SYS_gettid) == getpid() ? LaunchThread::kMain : LaunchThread::kOther;
}

}  // namespace

uint8_t LaunchThreads::own_number() {
  static __thread uint32_t known __attribute__((tls_model("initial-exec")));  // the number + 1; 0: none yet
  if (known == 0) {
    const uint32_t next = __atomic_fetch_add(&g_count, 1, __ATOMIC_RELAXED);
    known = (next < kMost ? next : kMost - 1) + 1;
    if (next < kMost) g_kinds[next] = own_kind();
  }
  return static_cast<uint8_t>(known - 1);
}

LaunchThread LaunchThreads::kind_of(uint8_t number) { return g_kinds[number]; }

}  // namespace tauprof::capture
