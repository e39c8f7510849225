// The functions that the real library exports and that are not simulated: they say so and fail.
#include <cstdio>

#include "simgpu/engine/visibility.h"

namespace {

constexpr int kNotSupported = 15;  // CUBLAS_STATUS_NOT_SUPPORTED

int refuse(const char* function) {
  std::fprintf(stderr, "simulated: %s is not available\n", function);
  return kNotSupported;
}

}  // namespace

// cuBLAS's headers are not included, because they would declare the functions with parameters.
#define SIMGPU_UNAVAILABLE(name) \
  extern "C" SIMGPU_API int name() { return refuse(#name); }
#include SIMGPU_UNAVAILABLE_NAMES
