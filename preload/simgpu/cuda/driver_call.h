// How to write an exported function of the driver: a row with its exported name, its parameters and their names, then
// the body.
//
//   DRIVER_CALL(cuMemFree_v2, (CUdeviceptr dptr), (dptr)) { return free_memory(dptr); }
//
// The row opens the ApiCall with CUPTI's id and parameter struct. It refuses the call in a forked child, before the
// driver is initialized, and on a failed device.
//
// DRIVER_TWINS makes two functions from one body: cuX and cuX_ptsz (or _ptds). They differ in what stream 0 means,
// which the body reads from `default_stream`.
#pragma once

#include <cuda.h>
// After cuda.h:
#include <cupti_driver_cbid.h>
#include <generated_cuda_meta.h>

#include <type_traits>

#include "simgpu/cuda/driver_result.h"
#include "simgpu/engine/call.h"
#include "simgpu/engine/stream.h"

namespace simgpu {

enum class Needs : std::uint8_t {
  Nothing,
  Driver,  // cuInit
  Device,  // one that has not failed
};

// CUDA_SUCCESS, or the error if no call can be served on this thread now.
CUresult obstacle(Needs needs);

template <typename Body>
CUresult run_call(const ApiFunction& function, Needs needs, const void* values, const char* symbol, Body&& body) {
  if (is_forked_child()) return CUDA_ERROR_NOT_INITIALIZED;
  ApiCall call(function, values, symbol);
  const CUresult refused = obstacle(needs);
  return call.leave(refused != CUDA_SUCCESS ? refused : body());
}

}  // namespace simgpu

#define SIMGPU_LIST(...) __VA_ARGS__

#define SIMGPU_DRIVER_EXPORT(name, needs, symbol, parameters, arguments, call)                   \
  extern "C" SIMGPU_API CUresult CUDAAPI name parameters {                                       \
    static const ApiFunction function{#name, ApiDomain::Driver, CUPTI_DRIVER_TRACE_CBID_##name}; \
    const name##_params call_values = {SIMGPU_LIST arguments};                                   \
    return run_call(function, needs, &call_values, symbol, [&] { return call; });                \
  }

#define DRIVER_CALL_NEEDING(needs, name, parameters, arguments)                            \
  static CUresult name##_body parameters;                                                  \
  SIMGPU_DRIVER_EXPORT(name, needs, nullptr, parameters, arguments, name##_body arguments) \
  static CUresult name##_body parameters

#define DRIVER_CALL(name, parameters, arguments) DRIVER_CALL_NEEDING(Needs::Device, name, parameters, arguments)
#define DRIVER_QUERY(name, parameters, arguments) DRIVER_CALL_NEEDING(Needs::Driver, name, parameters, arguments)

// `symbol`: an expression for the kernel's name, or nullptr.
#define DRIVER_LAUNCH_TWINS(name, suffix, symbol, parameters, arguments)             \
  static CUresult name##_body(DefaultStream default_stream, SIMGPU_LIST parameters); \
  SIMGPU_DRIVER_EXPORT(name, Needs::Device, symbol, parameters, arguments,           \
                       name##_body(DefaultStream::Legacy, SIMGPU_LIST arguments))    \
  SIMGPU_DRIVER_EXPORT(name##suffix, Needs::Device, symbol, parameters, arguments,   \
                       name##_body(DefaultStream::PerThread, SIMGPU_LIST arguments)) \
  static CUresult name##_body([[maybe_unused]] DefaultStream default_stream, SIMGPU_LIST parameters)

#define DRIVER_TWINS(name, suffix, parameters, arguments) \
  DRIVER_LAUNCH_TWINS(name, suffix, nullptr, parameters, arguments)
