// host_steps RUNTIME SECONDS: steps that are bound by their host: 100 times 20 us of computing and a set of memory,
// then a synchronisation. Prints when each step started, in ns of the monotonic clock and of the thread's CPU clock,
// some lines at a time.
#define _GNU_SOURCE
#include "calls.h"
#include "host_time.h"

enum { kBytes = 4096, kLaunches = 100 };

int main(int count, char** words) {
  if (count != 3) STOP("usage: host_steps RUNTIME SECONDS\n");
  const long rounds = rounds_for(20000);
  load_runtime(words[1]);
  int (*const allocate)(void**, size_t) = runtime_function("cudaMalloc");
  int (*const set)(void*, int, size_t, void*) = runtime_function("cudaMemsetAsync");
  int (*const wait)(void) = runtime_function("cudaDeviceSynchronize");
  void* memory = NULL;
  if (allocate(&memory, kBytes) != 0) STOP("no memory of the device\n");
  const long long end = now_ns() + (long long)(atof(words[2]) * 1e9);
  long long flushed = 0;
  for (long long now = now_ns(); now < end; now = now_ns()) {
    printf("%lld %lld\n", now, thread_cpu_ns());
    if (now > flushed + 500000000) fflush(stdout), flushed = now;
    for (int i = 0; i < kLaunches; ++i) {
      compute(rounds);
      if (set(memory, i, kBytes, NULL) != 0) STOP("the device does not work\n");
    }
    if (wait() != 0) STOP("the device does not work\n");
  }
  return 0;
}
