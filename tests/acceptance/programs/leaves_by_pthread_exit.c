// leaves_by_pthread_exit RUNTIME: `main` uses the device and leaves by pthread_exit; a thread works for a second more,
// prints "the last thread ends", and ends.
#include <pthread.h>
#include <unistd.h>

#include "calls.h"

static void* work(void* memory) {
  int (*const set)(void*, int, size_t, void*) = runtime_function("cudaMemsetAsync");
  int (*const wait)(void) = runtime_function("cudaDeviceSynchronize");
  for (int i = 0; i < 10; ++i) {
    if (set(memory, i, 4096, NULL) != 0 || wait() != 0) STOP("the device does not work\n");
    usleep(100000);
  }
  puts("the last thread ends");
  fflush(stdout);
  return NULL;
}

int main(int count, char** words) {
  if (count != 2) STOP("usage: leaves_by_pthread_exit RUNTIME\n");
  load_runtime(words[1]);
  int (*const allocate)(void**, size_t) = runtime_function("cudaMalloc");
  void* memory = NULL;
  pthread_t worker;
  if (allocate(&memory, 4096) != 0) STOP("no memory of the device\n");
  if (pthread_create(&worker, NULL, work, memory) != 0) STOP("no thread\n");
  pthread_exit(NULL);
}
