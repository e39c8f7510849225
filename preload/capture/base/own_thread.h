// Starts the recorder's own threads. They take no signals: those belong to the program.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "capture/base/signals.h"

namespace tauprof::capture {

// 0, or an error number. Where the calling thread can get no memory at all, glibc's pthread_create() ends the process
// by an assertion (2.36: the thread has no arena, and the kernel refuses with another error than ENOMEM), so that is
// tried first.
inline int start_own_thread(pthread_t& thread, void* (*run)(void*), void* data) {
  constexpr size_t kSome = 4096;
  void* some = malloc(kSome);
  asm volatile("" : "+r"(some));  // or the compiler sees that nobody uses it
  if (some == nullptr) return ENOMEM;
  free(some);
  // Nor do they run before all others because the program's thread does.
  pthread_attr_t usual;
  pthread_attr_init(&usual);
  pthread_attr_setinheritsched(&usual, PTHREAD_EXPLICIT_SCHED);
  const BlockedSignals blocked;
  const int error = pthread_create(&thread, &usual, run, data);
  pthread_attr_destroy(&usual);
  return error == 0 ? 0 : pthread_create(&thread, nullptr, run, data);
}

}  // namespace tauprof::capture
