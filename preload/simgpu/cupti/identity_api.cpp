// The exported functions for ids, times, threads, versions and errors, and cuptiFinalize.
#include <cupti.h>

#include "simgpu/cupti/attachment.h"
#include "simgpu/cupti/contexts.h"
#include "simgpu/cupti/faults.h"
#include "simgpu/cupti/names.h"
#include "simgpu/cupti/session.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/stream.h"

using namespace simgpu;
using namespace simgpu::cupti;

namespace {

// Of CUDA 13.0 Update 1 and of CUDA 12.9 Update 1.
constexpr int kApiVersion = SIMGPU_CUPTI_MAJOR >= 13 ? 130001 : 28;

CUptiResult stream_id(CUcontext context, CUstream handle, DefaultStream meaning, std::uint32_t* out) {
  if (!out) return CUPTI_ERROR_INVALID_PARAMETER;
  const StreamRef stream = find_stream(handle, meaning);
  if (!stream) return CUPTI_ERROR_INVALID_STREAM;
  const StreamTraits traits = stream_traits(*stream);
  if (context) {
    const auto id = context_id(context);
    if (!id || device_of_context(*id) != traits.device) return CUPTI_ERROR_INVALID_STREAM;
  }
  *out = traits.id;
  return CUPTI_SUCCESS;
}

}  // namespace

int simgpu::cupti::api_version() { return faults().version != 0 ? faults().version : kApiVersion; }

CUptiResult cuptiGetVersion(uint32_t* version) {
  if (!version) return keep_error(CUPTI_ERROR_INVALID_PARAMETER);
  *version = static_cast<std::uint32_t>(simgpu::cupti::api_version());
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(uint64_t* timestamp) {
  if (!timestamp) return keep_error(CUPTI_ERROR_INVALID_PARAMETER);
  *timestamp = Session::get().clock.now();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetContextId(CUcontext context, uint32_t* contextId) {
  return serve([&] {
    if (!contextId) return CUPTI_ERROR_INVALID_PARAMETER;
    const auto id = context_id(context);
    if (!id) return CUPTI_ERROR_INVALID_CONTEXT;
    *contextId = *id;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t* deviceId) {
  return serve([&] {
    if (!deviceId) return CUPTI_ERROR_INVALID_PARAMETER;
    const auto id = context_id(context);
    const auto device = context ? device_of_context(id.value_or(0)) : current_device();
    if (!device) return CUPTI_ERROR_INVALID_DEVICE;
    *deviceId = static_cast<std::uint32_t>(*device);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiGetStreamId(CUcontext context, CUstream stream, uint32_t* streamId) {
  return serve([&] { return stream_id(context, stream, DefaultStream::Legacy, streamId); });
}

CUptiResult cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t perThreadStream, uint32_t* streamId) {
  const DefaultStream meaning = perThreadStream ? DefaultStream::PerThread : DefaultStream::Legacy;
  return serve([&] { return stream_id(context, stream, meaning, streamId); });
}

CUptiResult cuptiGetThreadIdType(CUpti_ActivityThreadIdType* type) {
  return serve([&] {
    if (!type) return CUPTI_ERROR_INVALID_PARAMETER;
    if (Session::get().has_subscribers()) return CUPTI_ERROR_NOT_SUPPORTED;
    *type = Session::get().thread_id_type;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  return serve([&] {
    if (Session::get().has_subscribers()) return CUPTI_ERROR_NOT_SUPPORTED;
    if (type < CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT || type >= CUPTI_ACTIVITY_THREAD_ID_TYPE_SIZE) {
      return CUPTI_ERROR_NOT_SUPPORTED;
    }
    Session::get().thread_id_type = type;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiGetResultString(CUptiResult result, const char** str) {
  if (!str) return keep_error(CUPTI_ERROR_INVALID_PARAMETER);
  const char* const name = result_name(result);
  *str = name ? name : "<unknown>";
  return keep_error(name ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER);
}

CUptiResult cuptiGetErrorMessage(CUptiResult result, const char** str) { return cuptiGetResultString(result, str); }

CUptiResult cuptiGetLastError() { return take_last_error(); }

CUptiResult cuptiComputeCapabilitySupported(int major, int minor, int* support) {
  if (!support) return keep_error(CUPTI_ERROR_INVALID_PARAMETER);
  constexpr int kOldest = SIMGPU_CUPTI_MAJOR >= 13 ? 75 : 50;
  const int capability = major * 10 + minor;
  *support = capability >= kOldest && capability <= 121;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiDeviceSupported(CUdevice device, int* support) {
  return serve([&] {
    if (!support) return CUPTI_ERROR_INVALID_PARAMETER;
    if (device < 0 || device >= device_count()) return CUPTI_ERROR_INVALID_DEVICE;
    *support = 1;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiDeviceVirtualizationMode(CUdevice device, CUpti_DeviceVirtualizationMode* mode) {
  return serve([&] {
    if (!mode) return CUPTI_ERROR_INVALID_PARAMETER;
    if (device < 0 || device >= device_count()) return CUPTI_ERROR_INVALID_DEVICE;
    *mode = CUPTI_DEVICE_VIRTUALIZATION_MODE_NONE;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiFinalize() {
  return serve([] {
    if (Session::get().count_subscribers() < 2) detach();
    return CUPTI_SUCCESS;
  });
}
