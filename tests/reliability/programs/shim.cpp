// A library that stands between a program and the CUDA runtime: with SHIM_DENIES it has no memory for anybody,
// otherwise it prints what passes through.
#include <dlfcn.h>
#include <stddef.h>

#include <cstdio>

namespace {
constexpr int kOutOfMemory = 2;
}

extern "C" __attribute__((visibility("default"))) int cudaMalloc(void** memory, size_t bytes) {
#if SHIM_DENIES
  *memory = nullptr;
  std::printf("no memory for %zu bytes\n", bytes);
  return kOutOfMemory;
#else
  using Malloc = int (*)(void**, size_t);
  static const auto next = reinterpret_cast<Malloc>(dlsym(RTLD_NEXT, "cudaMalloc"));
  const int status = next != nullptr ? next(memory, bytes) : kOutOfMemory;
  std::printf("%zu bytes passed\n", bytes);
  return status;
#endif
}
