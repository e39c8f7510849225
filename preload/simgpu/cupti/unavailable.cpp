// The functions that the real library exports and that are not simulated: each says so once and fails.
#include <cstdio>
#include <mutex>
#include <set>

#include "simgpu/engine/visibility.h"

namespace {

constexpr int kNotSupported = 27;  // CUPTI_ERROR_NOT_SUPPORTED; the headers would declare the functions with parameters

int unavailable(const char* function) {
  static std::mutex mutex;
  static std::set<const char*> said;
  const std::lock_guard lock(mutex);
  if (said.insert(function).second) std::fprintf(stderr, "simulated: %s is not available\n", function);
  return kNotSupported;
}

}  // namespace

#define SIMGPU_UNAVAILABLE(function) \
  extern "C" SIMGPU_API int function() { return unavailable(#function); }
#include "simgpu/cupti/unavailable.def"
#undef SIMGPU_UNAVAILABLE

// NVTX calls this in the library that NVTX_INJECTION64_PATH names; 0 declines.
extern "C" SIMGPU_API int InitializeInjectionNvtx() { return 0; }
extern "C" SIMGPU_API int InitializeInjectionNvtx2() { return 0; }
extern "C" SIMGPU_API int InitializeInjectionNvtxExtension() { return 0; }
