#include "capture/base/file_thread.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/futex.h"
#include "capture/base/own_thread.h"
#include "log/file_calls.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace tauprof::capture {
namespace {

constexpr unsigned kCloseRangeUnshare = 2;  // CLOSE_RANGE_UNSHARE, which older headers lack

constexpr uint64_t kLongestWait = 1'000'000'000;  // then it looks again

// The mutex and the condition are pthread's, because ThreadSanitizer sees those. Who waits for the other thread does so
// by futex: a preloaded library may have another idea of time.
struct Post {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t given = PTHREAD_COND_INITIALIZER;
  log::FileTask task = nullptr;
  void* data = nullptr;
  bool is_ending = false;
  uint32_t is_done = 0;  // the word to wait for: the thread runs, or the task is done
  uint32_t thread = 0;
  pthread_t posix_thread = {};
};

Post post;

void wait_until_done() {
  while (__atomic_load_n(&post.is_done, __ATOMIC_ACQUIRE) == 0) futex_wait(&post.is_done, 0, kLongestWait);
  pthread_mutex_lock(&post.mutex);  // for ThreadSanitizer: what the other thread did comes before what follows
  pthread_mutex_unlock(&post.mutex);
}

void say_done() {
  __atomic_store_n(&post.is_done, 1, __ATOMIC_RELEASE);
  futex_wake(&post.is_done);
}

void run_there(log::FileTask task, void* data) {
  pthread_mutex_lock(&post.mutex);
  post.task = task;
  post.data = data;
  __atomic_store_n(&post.is_done, 0, __ATOMIC_RELEASE);
  pthread_cond_signal(&post.given);
  pthread_mutex_unlock(&post.mutex);
  wait_until_done();
}

// From here on, what the program opens is not seen on this thread, and what this thread opens not by the program. Also
// closes the copies of the program's files, which a reader at the other end of a pipe would wait for.
bool leave_programs_table() { return syscall(SYS_close_range, 0U, ~0U, kCloseRangeUnshare) == 0; }

void* serve(void*) {
  is_recorders_thread = true;
  prctl(PR_SET_NAME, "tauprof-files");
  const bool is_apart = leave_programs_table();
  pthread_mutex_lock(&post.mutex);
  if (is_apart) post.thread = static_cast<uint32_t>(syscall(SYS_gettid));
  while (is_apart) {
    pthread_mutex_unlock(&post.mutex);
    say_done();
    pthread_mutex_lock(&post.mutex);
    while (post.task == nullptr && !post.is_ending) pthread_cond_wait(&post.given, &post.mutex);
    if (post.is_ending) break;
    const auto task = post.task;
    pthread_mutex_unlock(&post.mutex);
    task(post.data);
    pthread_mutex_lock(&post.mutex);
    post.task = nullptr;
  }
  pthread_mutex_unlock(&post.mutex);
  say_done();
  return nullptr;
}

}  // namespace

uint32_t start_file_thread() {
  post.is_ending = false;
  post.thread = post.is_done = 0;
  if (start_own_thread(post.posix_thread, serve, nullptr) != 0) return 0;
  wait_until_done();
  if (post.thread != 0)
    log::run_file_task = run_there;
  else
    pthread_join(post.posix_thread, nullptr);
  return post.thread;
}

void end_file_thread() {
  if (log::run_file_task == nullptr) return;
  log::run_file_task = nullptr;
  pthread_mutex_lock(&post.mutex);
  post.is_ending = true;
  pthread_cond_signal(&post.given);
  pthread_mutex_unlock(&post.mutex);
  pthread_join(post.posix_thread, nullptr);
}

}  // namespace tauprof::capture
