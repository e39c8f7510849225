// Versions, the driver's entry points and the profiler switch.
#include <dlfcn.h>

#include "simgpu/cudart/runtime_call.h"

namespace simgpu {
namespace {

constexpr int kDriverVersion = 13020;  // that of the simulated libcuda
constexpr int kRuntimeVersion = SIMGPU_CUDART_MAJOR == 12 ? 12080 : 13000;

using FindSymbol = int (*)(const char*, void**, int, unsigned long long, int*);  // cuGetProcAddress_v2

// From the driver in the process, else from the one beside this library, as NVIDIA's runtime finds the system's.
FindSymbol driver_lookup() {
  static const auto lookup = [] {
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    return driver == nullptr ? nullptr : reinterpret_cast<FindSymbol>(dlsym(driver, "cuGetProcAddress_v2"));
  }();
  return lookup;
}

cudaError_t find_entry_point(const char* symbol, void** out, unsigned version, unsigned long long flags,
                             cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || out == nullptr) return cudaErrorInvalidValue;
  const FindSymbol lookup = driver_lookup();
  int found = cudaDriverEntryPointSymbolNotFound;
  *out = nullptr;
  if (lookup != nullptr) lookup(symbol, out, static_cast<int>(version), flags, &found);
  if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
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
  return flags > cudaEnablePerThreadDefaultStream
             ? cudaErrorInvalidValue
             : find_entry_point(symbol, funcPtr, kRuntimeVersion, flags, driverStatus);
}

RUNTIME_TWINS(cudaGetDriverEntryPointByVersion, _ptsz, v12050, v12050,
              (const char* symbol, void** funcPtr, unsigned cudaVersion, unsigned long long flags,
               cudaDriverEntryPointQueryResult* driverStatus),
              (symbol, funcPtr, cudaVersion, flags, driverStatus)) {
  const bool valid = cudaVersion > 0 && flags <= cudaEnablePerThreadDefaultStream;
  return valid ? find_entry_point(symbol, funcPtr, cudaVersion, flags, driverStatus) : cudaErrorInvalidValue;
}

// Both are for profilers, which observe the calls.
RUNTIME_CALL_WITHOUT_PARAMETERS(cudaProfilerStart, v4000) { return cudaSuccess; }
RUNTIME_CALL_WITHOUT_PARAMETERS(cudaProfilerStop, v4000) { return cudaSuccess; }

}  // namespace simgpu
