// A plugin that calls CUDA. Its destructor shows that it was unloaded. Built twice, as two versions of the same plugin.
#include <stddef.h>
#include <stdio.h>

int cudaMalloc(void** memory, size_t bytes);
int cudaMemset(void* memory, int value, size_t bytes);
int cudaFree(void* memory);

static int calls;

__attribute__((constructor)) static void begin(void) { puts("loaded"); }
__attribute__((destructor)) static void end(void) {
  puts("unloaded");
  fflush(stdout);
}

// VERSION * 100 and how often this copy was asked; below 0: a CUDA error.
int work(void) {
  void* memory = NULL;
  int error = cudaMalloc(&memory, 4096);
  if (error == 0) error = cudaMemset(memory, 1, 4096);
  if (error == 0) error = cudaFree(memory);
  return error != 0 ? -error : VERSION * 100 + ++calls;
}
