// The names that the real library exports and this one does not serve: they say so and fail.
#include <cstdio>

#include "simgpu/engine/visibility.h"

namespace {

constexpr int kNotSupported = 15;  // CUBLAS_STATUS_NOT_SUPPORTED

int refuse(const char* function) {
  std::fprintf(stderr, "simulated: %s is not available\n", function);
  return kNotSupported;
}

}  // namespace

// cuBLAS's headers are not included: these stand in for functions whatever their parameters are, and leave them alone.
#define SIMGPU_UNAVAILABLE(name) \
  extern "C" SIMGPU_API int name() { return refuse(#name); }
#include SIMGPU_UNAVAILABLE_NAMES
