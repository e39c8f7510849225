// Clears its environment before its first call of CUDA, as a program does that trusts nothing that it was started with.
#include <cuda_runtime_api.h>
#include <stdlib.h>

#include <cstdio>

int main() {
  clearenv();
  void* memory = nullptr;
  const int status = cudaMalloc(&memory, 1 << 20);
  std::printf("%d %d\n", status, cudaMemset(memory, 0, 1 << 20));
  return 0;
}
