// The runtime's functions that are not simulated: they say so and fail. They leave the caller's arguments alone.
#include <driver_types.h>

#include <atomic>
#include <cstdio>

#include "simgpu/cudart/last_error.h"
#include "simgpu/engine/visibility.h"

namespace {

cudaError_t refuse(const char* name, std::atomic<bool>& told) {
  if (!told.exchange(true)) std::fprintf(stderr, "simulated: %s is not available\n", name);
  return simgpu::note_error(cudaErrorNotSupported);
}

}  // namespace

#define SIMGPU_UNSUPPORTED(name)             \
  extern "C" SIMGPU_API cudaError_t name() { \
    static std::atomic<bool> told{false};    \
    return refuse(#name, told);              \
  }
#include "simgpu/cudart/unsupported.def"
