#include "capture/loader/loader_probe.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "capture/base/clock.h"
#include "capture/base/futex.h"
#include "capture/base/own_thread.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kPatienceNs = 200'000'000;

uint32_t g_asked, g_answered;  // how often

void* ask(void*) {
  prctl(PR_SET_NAME, "tauprof-probe");
  is_recorders_thread = true;
  dlopen(nullptr, RTLD_LAZY);  // takes the lock that constructors hold
  __atomic_add_fetch(&g_answered, 1, __ATOMIC_ACQ_REL);
  futex_wake(&g_answered);
  return nullptr;
}

}  // namespace

// If an earlier question has not been answered, the loader is as busy as then.
bool loader_answers() {
  const uint32_t asked = __atomic_add_fetch(&g_asked, 1, __ATOMIC_ACQ_REL);
  pthread_t thread;
  if (start_own_thread(thread, ask, nullptr) != 0) return true;  // as if nobody had asked
  pthread_detach(thread);
  const uint64_t until = kernel_now_ns() + kPatienceNs;
  for (;;) {
    const uint32_t answered = __atomic_load_n(&g_answered, __ATOMIC_ACQUIRE);
    const uint64_t now = kernel_now_ns();
    if (static_cast<int32_t>(answered - asked) >= 0 || now >= until) return static_cast<int32_t>(answered - asked) >= 0;
    futex_wait(&g_answered, answered, until - now);
  }
}

}  // namespace tauprof::capture
