// Creates contexts, makes them current, pushes and pops them.
#include "simgpu/cuda/contexts.h"

#include <array>
#include <atomic>
#include <vector>

#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

// The same handles as in the simulated CUPTI.
constexpr std::uintptr_t kFirstHandle = 0xc7c70000;
constexpr std::uintptr_t kStride = 16;
constexpr unsigned kApiVersion = 3020;

CUcontext handle_of(std::uint32_t id) {
  return id == 0 ? nullptr : reinterpret_cast<CUcontext>(kFirstHandle + id * kStride);
}

// The current device before each cuCtxPushCurrent that has not been popped.
std::vector<int>& pushed_over() {
  thread_local std::vector<int> devices;
  return devices;
}

CUresult push(CUcontext context) {
  const auto device = device_of(context);
  if (!device) return CUDA_ERROR_INVALID_CONTEXT;
  pushed_over().push_back(current_device());
  return driver_result(set_current_device(*device));
}

CUresult create(CUcontext* out, CUdevice device) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  *out = context_on(device);
  return push(*out);
}

std::array<std::atomic<unsigned>, 64> primary_flags;

}  // namespace

CUcontext context_on(int device) { return handle_of(context_of(device)); }

CUcontext current_context() { return handle_of(existing_context(current_device())); }

std::optional<int> device_of(CUcontext context) {
  for (int device = 0; context != nullptr && device < device_count(); ++device) {
    if (handle_of(existing_context(device)) == context) return device;
  }
  return std::nullopt;
}

DRIVER_QUERY(cuDevicePrimaryCtxRetain, (CUcontext * pctx, CUdevice dev), (pctx, dev)) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  *pctx = context_on(dev);
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDevicePrimaryCtxRelease_v2, (CUdevice dev), (dev)) {
  return is_device(dev) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

DRIVER_QUERY(cuDevicePrimaryCtxSetFlags_v2, (CUdevice dev, unsigned flags), (dev, flags)) {
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  if ((flags & ~unsigned{CU_CTX_FLAGS_MASK}) != 0) return CUDA_ERROR_INVALID_VALUE;
  primary_flags[static_cast<std::size_t>(dev)] = flags;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDevicePrimaryCtxGetState, (CUdevice dev, unsigned* flags, int* active), (dev, flags, active)) {
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  *flags = primary_flags[static_cast<std::size_t>(dev)];
  *active = existing_context(dev) != 0;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuCtxCreate_v2, (CUcontext * pctx, unsigned flags, CUdevice dev), (pctx, flags, dev)) {
  static_cast<void>(flags);
  return create(pctx, dev);
}

DRIVER_QUERY(cuCtxCreate_v4, (CUcontext * pctx, CUctxCreateParams* ctxCreateParams, unsigned flags, CUdevice dev),
             (pctx, ctxCreateParams, flags, dev)) {
  static_cast<void>(flags);
  return ctxCreateParams != nullptr ? CUDA_ERROR_NOT_SUPPORTED : create(pctx, dev);
}

DRIVER_QUERY(cuCtxDestroy_v2, (CUcontext ctx), (ctx)) {
  if (!device_of(ctx)) return CUDA_ERROR_INVALID_CONTEXT;
  if (ctx == current_context() && !pushed_over().empty()) {
    set_current_device(pushed_over().back());
    pushed_over().pop_back();
  }
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuCtxGetCurrent, (CUcontext * pctx), (pctx)) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pctx = current_context();
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuCtxSetCurrent, (CUcontext ctx), (ctx)) {
  if (ctx == nullptr) return CUDA_SUCCESS;
  const auto device = device_of(ctx);
  return device ? driver_result(set_current_device(*device)) : CUDA_ERROR_INVALID_CONTEXT;
}

DRIVER_QUERY(cuCtxPushCurrent_v2, (CUcontext ctx), (ctx)) { return push(ctx); }

DRIVER_QUERY(cuCtxPopCurrent_v2, (CUcontext * pctx), (pctx)) {
  if (pctx != nullptr) *pctx = current_context();
  if (pushed_over().empty()) return current_context() != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  set_current_device(pushed_over().back());
  pushed_over().pop_back();
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuCtxGetDevice, (CUdevice * device), (device)) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *device = current_device();
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuCtxGetId, (CUcontext ctx, unsigned long long* ctxId), (ctx, ctxId)) {
  const auto device = ctx == nullptr ? current_device() : device_of(ctx);
  if (ctxId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!device || existing_context(*device) == 0) return CUDA_ERROR_INVALID_CONTEXT;
  *ctxId = existing_context(*device);
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuCtxGetApiVersion, (CUcontext ctx, unsigned* version), (ctx, version)) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (ctx != nullptr && !device_of(ctx)) return CUDA_ERROR_INVALID_CONTEXT;
  *version = kApiVersion;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuCtxGetFlags, (unsigned* flags), (flags)) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = primary_flags[static_cast<std::size_t>(current_device())];
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuCtxGetStreamPriorityRange, (int* leastPriority, int* greatestPriority),
            (leastPriority, greatestPriority)) {
  if (leastPriority != nullptr) *leastPriority = kLeastPriority;
  if (greatestPriority != nullptr) *greatestPriority = kGreatestPriority;
  return CUDA_SUCCESS;
}

// A function without parameters has no parameter struct.
extern "C" SIMGPU_API CUresult CUDAAPI cuCtxSynchronize() {
  static const ApiFunction function{"cuCtxSynchronize", ApiDomain::Driver, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize};
  return run_call(function, Needs::Device, nullptr, nullptr,
                  [] { return driver_result(synchronize_device(current_device())); });
}

// Since CUDA 13 these two take a context; null means the current one.
DRIVER_CALL(cuCtxSynchronize_v2, (CUcontext ctx), (ctx)) {
  const auto device = ctx == nullptr ? current_device() : device_of(ctx);
  return device ? driver_result(synchronize_device(*device)) : CUDA_ERROR_INVALID_CONTEXT;
}

DRIVER_QUERY(cuCtxGetDevice_v2, (CUdevice * device, CUcontext ctx), (device, ctx)) {
  const auto found = device_of(ctx == nullptr ? current_context() : ctx);
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!found) return CUDA_ERROR_INVALID_CONTEXT;
  *device = *found;
  return CUDA_SUCCESS;
}

}  // namespace simgpu
