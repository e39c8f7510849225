// A library whose static initialiser lets a thread of its own call CUDA, and waits for it: it holds the loader's lock
// meanwhile. The calls are bound like those of a linked library; the runtime is in the global scope.
#include <pthread.h>
#include <stddef.h>

int cudaMalloc(void** memory, size_t bytes);
int cudaMemset(void* memory, int value, size_t bytes);
int cudaFree(void* memory);

static int outcome = -1;

static void* warm_up(void* unused) {
  (void)unused;
  void* memory = NULL;
  outcome = cudaMalloc(&memory, 4096);
  for (int i = 0; i < 10 && outcome == 0; ++i) outcome = cudaMemset(memory, i, 4096);
  if (outcome == 0) outcome = cudaFree(memory);
  return NULL;
}

__attribute__((constructor)) static void start(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, warm_up, NULL) == 0) pthread_join(thread, NULL);
}

int answer(void) { return outcome; }
