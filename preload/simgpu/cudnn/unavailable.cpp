// The functions that the real library exports and that are not simulated: they say so and fail. They leave the caller's
// arguments alone.
#include <atomic>
#include <cstdio>

#include "simgpu/cudnn/cudnn_types.h"
#include "simgpu/engine/visibility.h"

namespace {

int refuse(const char* name, std::atomic<bool>& told) {
  if (!told.exchange(true)) std::fprintf(stderr, "simulated: %s is not available\n", name);
  return simgpu::cudnn::kNotSupported;
}

}  // namespace

#define SIMGPU_UNAVAILABLE(name)          \
  extern "C" SIMGPU_API int name() {      \
    static std::atomic<bool> told{false}; \
    return refuse(#name, told);           \
  }
#include "simgpu/cudnn/unavailable.def"
