// The same wrapper with an LTTng-UST tracepoint instead of the store, and the same payload.
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>

#include "lttng_tracepoint.h"

extern "C" __attribute__((visibility("default"))) cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  static const auto real = reinterpret_cast<decltype(&cudaEventRecord)>(dlsym(RTLD_NEXT, "cudaEventRecord"));
  const uint64_t start = __builtin_ia32_rdtsc();
  const cudaError_t result = real(event, stream);
  const uint64_t end = __builtin_ia32_rdtsc();
  tracepoint(tauprof_bench, call, start, end - start, 1, reinterpret_cast<uintptr_t>(stream));
  return result;
}
