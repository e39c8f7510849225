#include "simgpu/engine/calls/calling_thread.h"

#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace simgpu {
namespace {

constinit thread_local CallingThread this_calling_thread __attribute__((tls_model("initial-exec")));

// Runs after the destructors of the thread's C++ objects. A later call starts new counters.
void drop_counters(void* counters) {
  std::free(counters);
  this_calling_thread.counters = nullptr;
  this_calling_thread.counter_capacity = 0;
}

pthread_key_t counters_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, drop_counters);
    return made;
  }();
  return key;
}

void grow_counters(CallingThread& thread, std::uint32_t function_index) {
  const std::uint32_t capacity = (function_index / 64 + 1) * 64;
  auto* grown = static_cast<std::uint32_t*>(std::realloc(thread.counters, capacity * sizeof(std::uint32_t)));
  if (grown == nullptr) throw std::bad_alloc();
  std::memset(grown + thread.counter_capacity, 0, (capacity - thread.counter_capacity) * sizeof(std::uint32_t));
  thread.counters = grown;
  thread.counter_capacity = capacity;
  pthread_setspecific(counters_key(), grown);
}

}  // namespace

CallingThread& calling_thread() { return this_calling_thread; }

std::uint32_t count_call(CallingThread& thread, std::uint32_t function_index) {
  if (function_index >= thread.counter_capacity) grow_counters(thread, function_index);
  return ++thread.counters[function_index];
}

}  // namespace simgpu
