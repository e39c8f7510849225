// Called by nvcc's start-up code: registers modules and kernels, and keeps the launch configuration of <<<>>>.
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/cudart/variables.h"
#include "simgpu/engine/kernel.h"

namespace simgpu {
namespace {

// One per fat binary; its address is the handle in the start-up code.
struct Module {
  void* self = this;
  std::vector<const void*> stubs;
};

struct Modules {
  std::mutex mutex;
  std::unordered_map<void**, std::unique_ptr<Module>> all;
};

// Never destroyed: modules unregister themselves while the process ends.
Modules& modules() {
  static auto* const instance = new Modules;
  return *instance;
}

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

std::vector<CallConfiguration>& call_configurations() {
  thread_local std::vector<CallConfiguration> pending;
  return pending;
}

}  // namespace

extern "C" {

SIMGPU_API void** __cudaRegisterFatBinary(void*) {
  auto module = std::make_unique<Module>();
  auto** const handle = reinterpret_cast<void**>(module.get());
  const std::lock_guard lock(modules().mutex);
  modules().all[handle] = std::move(module);
  return handle;
}

SIMGPU_API void __cudaRegisterFatBinaryEnd(void**) {}

SIMGPU_API void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard lock(modules().mutex);
  const auto found = modules().all.find(handle);
  if (found == modules().all.end()) return;
  for (const void* stub : found->second->stubs) forget_stub(stub);
  modules().all.erase(found);
}

SIMGPU_API void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* device_name, int, uint3*,
                                       uint3*, dim3*, dim3*, int*) {
  name_by_stub(stub, add_kernel(device_name));
  const std::lock_guard lock(modules().mutex);
  const auto module = modules().all.find(handle);
  if (module != modules().all.end()) module->second->stubs.push_back(stub);
}

SIMGPU_API char __cudaInitModule(void** handle) {
  place_managed_variables(handle);
  return 1;
}

SIMGPU_API void __cudaRegisterUnifiedTable(void**, void*) {}

SIMGPU_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream) {
  call_configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

SIMGPU_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  auto& pending = call_configurations();
  if (pending.empty()) return note_error(cudaErrorMissingConfiguration);
  *grid = pending.back().grid;
  *block = pending.back().block;
  *shared_bytes = pending.back().shared_bytes;
  *static_cast<cudaStream_t*>(stream) = pending.back().stream;
  pending.pop_back();
  return cudaSuccess;
}

SIMGPU_API cudaError_t __cudaGetKernel(cudaKernel_t* out, const void* stub) {
  Kernel* const kernel = find_kernel(stub);
  if (kernel == nullptr) return note_error(cudaErrorInvalidDeviceFunction);
  *out = reinterpret_cast<cudaKernel_t>(kernel);
  return cudaSuccess;
}

}  // extern "C"

RUNTIME_QUERY(cudaGetKernel, v12000, (cudaKernel_t * kernelPtr, const void* entryFuncAddr),
              (kernelPtr, entryFuncAddr)) {
  Kernel* const kernel = find_kernel(entryFuncAddr);
  if (kernelPtr == nullptr) return cudaErrorInvalidValue;
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  *kernelPtr = reinterpret_cast<cudaKernel_t>(kernel);
  return cudaSuccess;
}

RUNTIME_QUERY(cudaGetFuncBySymbol, v11000, (cudaFunction_t * functionPtr, const void* symbolPtr),
              (functionPtr, symbolPtr)) {
  Kernel* const kernel = find_kernel(symbolPtr);
  if (functionPtr == nullptr) return cudaErrorInvalidValue;
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  *functionPtr = reinterpret_cast<cudaFunction_t>(kernel);
  return cudaSuccess;
}

}  // namespace simgpu
