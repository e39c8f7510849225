// How to write an exported function of the runtime: a row with its name, the version in its CUPTI id, its parameters
// and their names, then the body.
//
//   RUNTIME_CALL(cudaEventDestroy, v3020, (cudaEvent_t event), (event)) { return destroy_event(event); }
//
// The row opens the ApiCall with CUPTI's parameter struct, refuses the call in a forked child, on a failed device and
// inside a host function, and keeps the result as the thread's last error.
//
// RUNTIME_TWINS makes two functions from one body: cudaX and cudaX_ptsz (or _ptds). They differ in what stream 0 means,
// which the body reads from `default_stream`.
//
// Functions whose ABI changed with CUDA 13 are written with the ABI of 13. libcudart.so.12 exports them under the name
// that CUDA 12 gave the new ABI (RENAMED_IN_12); abi_12.cpp has the old ABI.
#pragma once

#include <cuda_runtime_api.h>
#include <cupti_runtime_cbid.h>
#include <generated_cuda_runtime_api_meta.h>

#include <type_traits>

#include "simgpu/cudart/last_error.h"
#include "simgpu/engine/call.h"
#include "simgpu/engine/stream.h"

namespace simgpu {

enum class Needs : std::uint8_t {
  Process,  // no device: also works after a device has failed
  Device,
};

// cudaSuccess, or the error if no call can be served on this thread now.
cudaError_t obstacle(Needs needs);

// While one of these lives, the calling thread runs a host function, where CUDA calls are not permitted.
class HostFunctionScope {
 public:
  HostFunctionScope();
  ~HostFunctionScope();
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;
};

// "The runtime will implicitly use device 0 and self-initialize as needed to process other runtime API requests": a
// call makes the context of the current device.
template <typename Body>
cudaError_t run_call(const ApiFunction& function, Needs needs, const void* values, const char* symbol, Body&& body) {
  if (is_forked_child()) return note_error(cudaErrorInitializationError);
  ApiCall call(function, values, symbol);
  const cudaError_t refused = obstacle(needs);
  if (refused == cudaSuccess && needs == Needs::Device) context_of(current_device());
  return note_error(call.leave(refused != cudaSuccess ? refused : body()));
}

}  // namespace simgpu

#define SIMGPU_LIST(...) __VA_ARGS__

// Not defined for sources that both versions share.
#ifdef SIMGPU_CUDART_MAJOR
#if SIMGPU_CUDART_MAJOR == 12
#define RENAMED_IN_12(name, suffix) name##suffix
#else
#define RENAMED_IN_12(name, suffix) name
#endif
#endif

#define SIMGPU_EXPORT(exported, cbid_name, needs, values, symbol, parameters, call)                         \
  extern "C" SIMGPU_API cudaError_t exported parameters {                                                   \
    static const ApiFunction function{#exported, ApiDomain::Runtime, CUPTI_RUNTIME_TRACE_CBID_##cbid_name}; \
    const cbid_name##_params call_values = values;                                                          \
    return run_call(function, needs, &call_values, symbol, [&] { return call; });                           \
  }

#define SIMGPU_CHECK_ABI(name, exported)                                        \
  static_assert(std::is_same_v<decltype(&::name), decltype(&simgpu::exported)>, \
                "the parameters of " #name " are not those of cuda_runtime_api.h")

#define RUNTIME_CALL_NEEDING(needs, exported, name, version, parameters, arguments)              \
  static cudaError_t name##_body parameters;                                                     \
  SIMGPU_EXPORT(exported, name##_##version, needs, {SIMGPU_LIST arguments}, nullptr, parameters, \
                name##_body arguments)                                                           \
  SIMGPU_CHECK_ABI(name, exported);                                                              \
  static cudaError_t name##_body parameters

#define RUNTIME_CALL(name, version, parameters, arguments) \
  RUNTIME_CALL_NEEDING(Needs::Device, name, name, version, parameters, arguments)

#define RUNTIME_QUERY(name, version, parameters, arguments) \
  RUNTIME_CALL_NEEDING(Needs::Process, name, name, version, parameters, arguments)

// A function without parameters has no parameter struct.
#define RUNTIME_CALL_WITHOUT_PARAMETERS(name, version)                                                         \
  static cudaError_t name##_body();                                                                            \
  extern "C" SIMGPU_API cudaError_t name() {                                                                   \
    static const ApiFunction function{#name, ApiDomain::Runtime, CUPTI_RUNTIME_TRACE_CBID_##name##_##version}; \
    return run_call(function, Needs::Device, nullptr, nullptr, name##_body);                                   \
  }                                                                                                            \
  static cudaError_t name##_body()

// The two exported functions. The body must follow.
#define SIMGPU_TWINS(exported, name, suffix, version, twin_version, symbol, parameters, arguments)               \
  static cudaError_t name##_body(DefaultStream default_stream, SIMGPU_LIST parameters);                          \
  SIMGPU_EXPORT(exported, name##_##version, Needs::Device, {SIMGPU_LIST arguments}, symbol, parameters,          \
                name##_body(DefaultStream::Legacy, SIMGPU_LIST arguments))                                       \
  SIMGPU_EXPORT(exported##suffix, name##suffix##_##twin_version, Needs::Device, {SIMGPU_LIST arguments}, symbol, \
                parameters, name##_body(DefaultStream::PerThread, SIMGPU_LIST arguments))

#define SIMGPU_TWINS_BODY(name, parameters) \
  static cudaError_t name##_body([[maybe_unused]] DefaultStream default_stream, SIMGPU_LIST parameters)

#define RUNTIME_TWINS(name, suffix, version, twin_version, parameters, arguments)         \
  SIMGPU_TWINS(name, name, suffix, version, twin_version, nullptr, parameters, arguments) \
  SIMGPU_CHECK_ABI(name, name);                                                           \
  SIMGPU_TWINS_BODY(name, parameters)

// For a function with RENAMED_IN_12 in its name.
#define RUNTIME_RENAMED_TWINS(...) SIMGPU_RENAMED_TWINS(__VA_ARGS__)
#define SIMGPU_RENAMED_TWINS(exported, name, suffix, version, twin_version, parameters, arguments) \
  SIMGPU_TWINS(exported, name, suffix, version, twin_version, nullptr, parameters, arguments)      \
  SIMGPU_CHECK_ABI(name, exported);                                                                \
  SIMGPU_TWINS_BODY(name, parameters)

// `symbol`: an expression for the kernel's name. No check: nvcc's own launch function is in no header.
#define RUNTIME_LAUNCH_TWINS(name, version, twin_version, symbol, parameters, arguments) \
  SIMGPU_TWINS(name, name, _ptsz, version, twin_version, symbol, parameters, arguments)  \
  SIMGPU_TWINS_BODY(name, parameters)
