#include "capture/base/file_thread.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/signals.h"
#include "log/file_calls.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace tauprof::capture {
namespace {

constexpr unsigned kCloseRangeUnshare = 2;  // CLOSE_RANGE_UNSHARE, which older headers lack

// Pthread's mutex and conditions, because ThreadSanitizer sees those.
struct Post {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t given = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
  log::FileTask task = nullptr;
  void* data = nullptr;
  uint32_t thread = 0;
  bool is_ready = false;
};

Post post;

void run_there(log::FileTask task, void* data) {
  pthread_mutex_lock(&post.mutex);
  post.task = task;
  post.data = data;
  pthread_cond_signal(&post.given);
  while (post.task != nullptr) pthread_cond_wait(&post.done, &post.mutex);
  pthread_mutex_unlock(&post.mutex);
}

// From here on, what the program opens is not seen on this thread, and what this thread opens not by the program. Also
// closes the copies of the program's files, which a reader at the other end of a pipe would wait for.
bool leave_programs_table() { return syscall(SYS_close_range, 0U, ~0U, kCloseRangeUnshare) == 0; }

void* serve(void*) {
  prctl(PR_SET_NAME, "tauprof-files");
  const bool is_apart = leave_programs_table();
  pthread_mutex_lock(&post.mutex);
  if (is_apart) post.thread = static_cast<uint32_t>(syscall(SYS_gettid));
  post.is_ready = true;
  pthread_cond_signal(&post.done);
  while (is_apart) {
    while (post.task == nullptr) pthread_cond_wait(&post.given, &post.mutex);
    pthread_mutex_unlock(&post.mutex);
    post.task(post.data);
    pthread_mutex_lock(&post.mutex);
    post.task = nullptr;
    pthread_cond_signal(&post.done);
  }
  pthread_mutex_unlock(&post.mutex);
  return nullptr;
}

}  // namespace

uint32_t start_file_thread() {
  pthread_t thread;
  {
    const BlockedSignals blocked;
    if (pthread_create(&thread, nullptr, serve, nullptr) != 0) return 0;
  }
  pthread_detach(thread);
  pthread_mutex_lock(&post.mutex);
  while (!post.is_ready) pthread_cond_wait(&post.done, &post.mutex);
  pthread_mutex_unlock(&post.mutex);
  if (post.thread != 0) log::run_file_task = run_there;
  return post.thread;
}

}  // namespace tauprof::capture
