// Registration and lookup of device variables, and copies to and from them.
#include "simgpu/cudart/variables.h"

#include <map>
#include <mutex>
#include <unordered_map>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/copy.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

struct Variable {
  void** module = nullptr;
  std::size_t bytes = 0;
  void** managed = nullptr;         // where host code finds the address of a managed variable
  void* host = nullptr;             // the address of a variable in host memory
  std::map<int, void*> address_on;  // by device
};

struct Variables {
  std::mutex mutex;
  std::unordered_map<const void*, Variable> by_symbol;
};

Variables& variables() {
  static auto* const instance = new Variables;
  return *instance;
}

void register_variable(const void* symbol, Variable variable) {
  Variables& all = variables();
  const std::lock_guard lock(all.mutex);
  all.by_symbol[symbol] = std::move(variable);
}

cudaError_t place_managed(Variable& variable) {
  if (*variable.managed != nullptr) return cudaSuccess;
  return allocate_managed(current_device(), variable.bytes, variable.managed);
}

cudaError_t place(Variable& variable, void** out) {
  if (variable.host != nullptr) {
    *out = variable.host;
    return cudaSuccess;
  }
  if (variable.managed != nullptr) {
    const cudaError_t error = place_managed(variable);
    *out = *variable.managed;
    return error;
  }
  void*& address = variable.address_on[current_device()];
  const cudaError_t error =
      address != nullptr ? cudaSuccess : allocate_device(current_device(), variable.bytes, &address);
  *out = address;
  return error;
}

cudaError_t copy_to_variable(const void* symbol, const void* source, std::size_t count, std::size_t offset,
                             cudaMemcpyKind kind, const CopyOrder& order) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  char* part = nullptr;
  const cudaError_t error = find_variable_part(symbol, offset, count, &part);
  return error != cudaSuccess ? error : submit_copy(flat_copy(part, source, count, kind), order);
}

cudaError_t copy_from_variable(void* destination, const void* symbol, std::size_t count, std::size_t offset,
                               cudaMemcpyKind kind, const CopyOrder& order) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  char* part = nullptr;
  const cudaError_t error = find_variable_part(symbol, offset, count, &part);
  return error != cudaSuccess ? error : submit_copy(flat_copy(destination, part, count, kind), order);
}

}  // namespace

cudaError_t find_variable(const void* symbol, VariableSpan* out) {
  Variables& all = variables();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_symbol.find(symbol);
  if (found == all.by_symbol.end()) return cudaErrorInvalidSymbol;
  void* address = nullptr;
  const cudaError_t error = place(found->second, &address);
  *out = {static_cast<char*>(address), found->second.bytes};
  return error;
}

cudaError_t find_variable_part(const void* symbol, std::size_t offset, std::size_t count, char** out) {
  VariableSpan span;
  const cudaError_t error = find_variable(symbol, &span);
  if (error != cudaSuccess) return error;
  if (offset > span.bytes || count > span.bytes - offset) return cudaErrorInvalidValue;
  *out = span.address + offset;
  return cudaSuccess;
}

void place_managed_variables(void** module) {
  Variables& all = variables();
  const std::lock_guard lock(all.mutex);
  for (auto& [symbol, variable] : all.by_symbol) {
    if (variable.module == module && variable.managed != nullptr) place_managed(variable);
  }
}

extern "C" {

SIMGPU_API void __cudaRegisterVar(void** module, char* host_variable, char*, const char*, int, std::size_t bytes, int,
                                  int) {
  register_variable(host_variable, {.module = module, .bytes = bytes});
}

SIMGPU_API void __cudaRegisterManagedVar(void** module, void** host_pointer, char*, const char*, int, std::size_t bytes,
                                         int, int) {
  register_variable(host_pointer, {.module = module, .bytes = bytes, .managed = host_pointer});
}

SIMGPU_API void __cudaRegisterHostVar(void** module, const char*, char* host_variable, std::size_t bytes) {
  register_variable(host_variable, {.module = module, .bytes = bytes, .host = host_variable});
}

}  // extern "C"

RUNTIME_CALL(cudaGetSymbolAddress, v3020, (void** devPtr, const void* symbol), (devPtr, symbol)) {
  if (devPtr == nullptr) return cudaErrorInvalidValue;
  VariableSpan span;
  const cudaError_t error = find_variable(symbol, &span);
  if (error == cudaSuccess) *devPtr = span.address;
  return error;
}

RUNTIME_CALL(cudaGetSymbolSize, v3020, (std::size_t * size, const void* symbol), (size, symbol)) {
  if (size == nullptr) return cudaErrorInvalidValue;
  VariableSpan span;
  const cudaError_t error = find_variable(symbol, &span);
  if (error == cudaSuccess) *size = span.bytes;
  return error;
}

RUNTIME_TWINS(cudaMemcpyToSymbol, _ptds, v3020, v7000,
              (const void* symbol, const void* src, std::size_t count, std::size_t offset, cudaMemcpyKind kind),
              (symbol, src, count, offset, kind)) {
  return copy_to_variable(symbol, src, count, offset, kind, {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemcpyFromSymbol, _ptds, v3020, v7000,
              (void* dst, const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind),
              (dst, symbol, count, offset, kind)) {
  return copy_from_variable(dst, symbol, count, offset, kind, {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemcpyToSymbolAsync, _ptsz, v3020, v7000,
              (const void* symbol, const void* src, std::size_t count, std::size_t offset, cudaMemcpyKind kind,
               cudaStream_t stream),
              (symbol, src, count, offset, kind, stream)) {
  return copy_to_variable(symbol, src, count, offset, kind, {stream, default_stream, true});
}

RUNTIME_TWINS(cudaMemcpyFromSymbolAsync, _ptsz, v3020, v7000,
              (void* dst, const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind,
               cudaStream_t stream),
              (dst, symbol, count, offset, kind, stream)) {
  return copy_from_variable(dst, symbol, count, offset, kind, {stream, default_stream, true});
}

}  // namespace simgpu
