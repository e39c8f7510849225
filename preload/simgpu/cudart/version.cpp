// Versions, the driver's entry points (there is no driver) and the profiler switch.
#include "simgpu/cudart/runtime_call.h"

namespace simgpu {
namespace {

constexpr int kDriverVersion = 13000;
constexpr int kRuntimeVersion = SIMGPU_CUDART_MAJOR == 12 ? 12080 : 13000;

cudaError_t find_entry_point(const char* symbol, void** out, cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || out == nullptr) return cudaErrorInvalidValue;
  *out = nullptr;
  if (status != nullptr) *status = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace

RUNTIME_QUERY(cudaDriverGetVersion, v3020, (int* driverVersion), (driverVersion)) {
  if (driverVersion == nullptr) return cudaErrorInvalidValue;
  *driverVersion = kDriverVersion;
  return cudaSuccess;
}

RUNTIME_QUERY(cudaRuntimeGetVersion, v3020, (int* runtimeVersion), (runtimeVersion)) {
  if (runtimeVersion == nullptr) return cudaErrorInvalidValue;
  *runtimeVersion = kRuntimeVersion;
  return cudaSuccess;
}

RUNTIME_TWINS(cudaGetDriverEntryPoint, _ptsz, v11030, v11030,
              (const char* symbol, void** funcPtr, unsigned long long flags,
               cudaDriverEntryPointQueryResult* driverStatus),
              (symbol, funcPtr, flags, driverStatus)) {
  return flags > cudaEnablePerThreadDefaultStream ? cudaErrorInvalidValue
                                                  : find_entry_point(symbol, funcPtr, driverStatus);
}

RUNTIME_TWINS(cudaGetDriverEntryPointByVersion, _ptsz, v12050, v12050,
              (const char* symbol, void** funcPtr, unsigned cudaVersion, unsigned long long flags,
               cudaDriverEntryPointQueryResult* driverStatus),
              (symbol, funcPtr, cudaVersion, flags, driverStatus)) {
  const bool valid = cudaVersion > 0 && flags <= cudaEnablePerThreadDefaultStream;
  return valid ? find_entry_point(symbol, funcPtr, driverStatus) : cudaErrorInvalidValue;
}

// Both are for profilers, which see the calls.
RUNTIME_CALL_WITHOUT_PARAMETERS(cudaProfilerStart, v4000) { return cudaSuccess; }
RUNTIME_CALL_WITHOUT_PARAMETERS(cudaProfilerStop, v4000) { return cudaSuccess; }

}  // namespace simgpu
