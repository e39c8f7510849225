#include "capture/session/loading_thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "capture/base/clock.h"
#include "capture/base/futex.h"
#include "capture/base/own_thread.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kLongestForLoader = 500'000'000;
constexpr uint64_t kLongestLoading = 10'000'000'000;

enum Phase : uint32_t { kStarting, kLoaderIsFree, kLoaded };

LoadingTask g_task;
uint32_t g_phase = kStarting;
// Of pthread's, because ThreadSanitizer sees those: what the thread has set up, the program's threads use.
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;

void reach(Phase phase) {
  pthread_mutex_lock(&g_mutex);
  pthread_mutex_unlock(&g_mutex);
  __atomic_store_n(&g_phase, static_cast<uint32_t>(phase), __ATOMIC_RELEASE);
  futex_wake(&g_phase);
}

bool wait_for(Phase phase, uint64_t limit_ns) {
  const uint64_t until = kernel_now_ns() + limit_ns;
  for (;;) {
    const uint32_t reached = __atomic_load_n(&g_phase, __ATOMIC_ACQUIRE);
    const uint64_t now = kernel_now_ns();
    if (reached >= phase || now >= until) {
      pthread_mutex_lock(&g_mutex);
      pthread_mutex_unlock(&g_mutex);
      return reached >= phase;
    }
    futex_wait(&g_phase, reached, until - now);
  }
}

void* run(void*) {
  prctl(PR_SET_NAME, "tauprof-loading");
  is_recorders_thread = true;
  const OwnCalls own;
  dlopen(nullptr, RTLD_LAZY);  // returns when no constructor runs
  reach(kLoaderIsFree);
  g_task.load(g_task.data);
  reach(kLoaded);
  g_task.finish(g_task.data);
  return nullptr;
}

}  // namespace

Loading load_elsewhere(const LoadingTask& task) {
  g_task = task;
  pthread_t thread;
  if (start_own_thread(thread, run, nullptr) != 0) return Loading::kNoThread;
  pthread_detach(thread);
  return wait_for(kLoaderIsFree, kLongestForLoader) && wait_for(kLoaded, kLongestLoading) ? Loading::kDone
                                                                                           : Loading::kGoesOn;
}

}  // namespace tauprof::capture
