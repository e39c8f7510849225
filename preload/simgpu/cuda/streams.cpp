// Streams and events, which share their handles with the runtime.
#include "simgpu/cuda/contexts.h"
#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/stream.h"

namespace simgpu {
namespace {

// Runs `body` with the stream, if there is one.
template <typename Body>
CUresult with_stream(CUstream handle, DefaultStream meaning, Body&& body) {
  const StreamRef stream = find_stream(handle, meaning);
  return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : body(stream);
}

template <typename Body>
CUresult with_event(CUevent handle, Body&& body) {
  const EventRef event = find_event(handle);
  return event == nullptr ? CUDA_ERROR_INVALID_HANDLE : driver_result(body(event));
}

CUresult create(CUstream* out, unsigned flags, int priority) {
  if (out == nullptr || (flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) return CUDA_ERROR_INVALID_VALUE;
  return driver_result(create_stream(current_device(), flags, priority, out));
}

CUresult tell_context(const StreamRef& stream, CUcontext* out) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = context_on(stream_traits(*stream).device);
  return CUDA_SUCCESS;
}

CUresult tell_elapsed(float* out, CUevent from, CUevent to) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_event(from, [&](const EventRef& start) {
    const EventRef end = find_event(to);
    return end == nullptr ? cudaErrorInvalidResourceHandle : elapsed_ms(start, end, out);
  });
}

}  // namespace

DRIVER_CALL(cuStreamCreate, (CUstream * phStream, unsigned Flags), (phStream, Flags)) {
  return create(phStream, Flags, kLeastPriority);
}

DRIVER_CALL(cuStreamCreateWithPriority, (CUstream * phStream, unsigned flags, int priority),
            (phStream, flags, priority)) {
  return create(phStream, flags, priority);
}

DRIVER_CALL(cuStreamDestroy_v2, (CUstream hStream), (hStream)) { return driver_result(destroy_stream(hStream)); }

DRIVER_TWINS(cuStreamSynchronize, _ptsz, (CUstream hStream), (hStream)) {
  return with_stream(hStream, default_stream,
                     [](const StreamRef& stream) { return driver_result(synchronize_stream(stream)); });
}

DRIVER_TWINS(cuStreamQuery, _ptsz, (CUstream hStream), (hStream)) {
  return with_stream(hStream, default_stream,
                     [](const StreamRef& stream) { return driver_result(query_stream(stream)); });
}

DRIVER_TWINS(cuStreamGetCtx, _ptsz, (CUstream hStream, CUcontext* pctx), (hStream, pctx)) {
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) { return tell_context(stream, pctx); });
}

// "If the stream is not associated with a green context, pGreenCtx will be set to NULL". None is.
DRIVER_TWINS(cuStreamGetCtx_v2, _ptsz, (CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx),
             (hStream, pCtx, pGreenCtx)) {
  if (pGreenCtx != nullptr) *pGreenCtx = nullptr;
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) { return tell_context(stream, pCtx); });
}

DRIVER_TWINS(cuStreamGetDevice, _ptsz, (CUstream hStream, CUdevice* device), (hStream, device)) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) {
    *device = stream_traits(*stream).device;
    return CUDA_SUCCESS;
  });
}

DRIVER_TWINS(cuStreamGetId, _ptsz, (CUstream hStream, unsigned long long* streamId), (hStream, streamId)) {
  if (streamId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) {
    *streamId = stream_traits(*stream).id;
    return CUDA_SUCCESS;
  });
}

DRIVER_TWINS(cuStreamGetPriority, _ptsz, (CUstream hStream, int* priority), (hStream, priority)) {
  if (priority == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) {
    *priority = stream_traits(*stream).priority;
    return CUDA_SUCCESS;
  });
}

DRIVER_TWINS(cuStreamIsCapturing, _ptsz, (CUstream hStream, CUstreamCaptureStatus* captureStatus),
             (hStream, captureStatus)) {
  if (captureStatus == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) {
    *captureStatus = is_capturing(stream) ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
  });
}

DRIVER_TWINS(cuStreamWaitEvent, _ptsz, (CUstream hStream, CUevent hEvent, unsigned Flags), (hStream, hEvent, Flags)) {
  if (Flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) {
    return with_event(hEvent, [&](const EventRef& event) { return wait_event(stream, event, Flags); });
  });
}

DRIVER_CALL(cuEventCreate, (CUevent * phEvent, unsigned Flags), (phEvent, Flags)) {
  return phEvent == nullptr ? CUDA_ERROR_INVALID_VALUE : driver_result(create_event(current_device(), Flags, phEvent));
}

DRIVER_CALL(cuEventDestroy_v2, (CUevent hEvent), (hEvent)) { return driver_result(destroy_event(hEvent)); }

DRIVER_TWINS(cuEventRecord, _ptsz, (CUevent hEvent, CUstream hStream), (hEvent, hStream)) {
  return with_stream(hStream, default_stream, [&](const StreamRef& stream) {
    return with_event(hEvent, [&](const EventRef& event) { return record_event(event, stream); });
  });
}

DRIVER_CALL(cuEventQuery, (CUevent hEvent), (hEvent)) {
  return with_event(hEvent, [](const EventRef& event) { return query_event(event); });
}

DRIVER_CALL(cuEventSynchronize, (CUevent hEvent), (hEvent)) {
  return with_event(hEvent, [](const EventRef& event) { return synchronize_event(event); });
}

DRIVER_CALL(cuEventElapsedTime_v2, (float* pMilliseconds, CUevent hStart, CUevent hEnd),
            (pMilliseconds, hStart, hEnd)) {
  return tell_elapsed(pMilliseconds, hStart, hEnd);
}

// The version before CUDA 12.8.
DRIVER_CALL(cuEventElapsedTime, (float* pMilliseconds, CUevent hStart, CUevent hEnd), (pMilliseconds, hStart, hEnd)) {
  return tell_elapsed(pMilliseconds, hStart, hEnd);
}

}  // namespace simgpu
