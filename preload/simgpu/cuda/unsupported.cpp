// The driver's functions that are not simulated: they say so and fail. They leave the caller's arguments alone.
#include <atomic>
#include <cstdio>

#include "simgpu/engine/visibility.h"

namespace {

constexpr int kNotSupported = 801;  // CUDA_ERROR_NOT_SUPPORTED; cuda.h would declare the functions with parameters

int refuse(const char* name, std::atomic<bool>& told) {
  if (!told.exchange(true)) std::fprintf(stderr, "simulated: %s is not available\n", name);
  return kNotSupported;
}

}  // namespace

#define SIMGPU_UNSUPPORTED(name)          \
  extern "C" SIMGPU_API int name() {      \
    static std::atomic<bool> told{false}; \
    return refuse(#name, told);           \
  }
#include "simgpu/cuda/unsupported.def"
#include "simgpu/cuda/unsupported_kinds.def"
