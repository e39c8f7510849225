// Events.
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

cudaError_t create(cudaEvent_t* out, unsigned flags) {
  constexpr unsigned kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (out == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  const bool is_shared = (flags & cudaEventInterprocess) != 0;
  if (is_shared && (flags & cudaEventDisableTiming) == 0) return cudaErrorInvalidValue;
  return create_event(current_device(), flags, out);
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream, DefaultStream meaning, unsigned flags) {
  if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
  const EventRef found = find_event(event);
  const StreamRef queue = find_stream(stream, meaning);
  if (found == nullptr || queue == nullptr) return cudaErrorInvalidResourceHandle;
  return record_event(found, queue, flags);
}

}  // namespace

RUNTIME_CALL(cudaEventCreate, v3020, (cudaEvent_t * event), (event)) { return create(event, cudaEventDefault); }

RUNTIME_CALL(cudaEventCreateWithFlags, v3020, (cudaEvent_t * event, unsigned flags), (event, flags)) {
  return create(event, flags);
}

RUNTIME_CALL(cudaEventDestroy, v3020, (cudaEvent_t event), (event)) { return destroy_event(event); }

RUNTIME_TWINS(cudaEventRecord, _ptsz, v3020, v7000, (cudaEvent_t event, cudaStream_t stream), (event, stream)) {
  return record(event, stream, default_stream, cudaEventRecordDefault);
}

RUNTIME_TWINS(cudaEventRecordWithFlags, _ptsz, v11010, v11010, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
              (event, stream, flags)) {
  return record(event, stream, default_stream, flags);
}

RUNTIME_CALL(cudaEventQuery, v3020, (cudaEvent_t event), (event)) {
  const EventRef found = find_event(event);
  return found == nullptr ? cudaErrorInvalidResourceHandle : query_event(found);
}

RUNTIME_CALL(cudaEventSynchronize, v3020, (cudaEvent_t event), (event)) {
  const EventRef found = find_event(event);
  return found == nullptr ? cudaErrorInvalidResourceHandle : synchronize_event(found);
}

RUNTIME_CALL_NEEDING(Needs::Device, RENAMED_IN_12(cudaEventElapsedTime, _v2), cudaEventElapsedTime, v12080,
                     (float* ms, cudaEvent_t start, cudaEvent_t end), (ms, start, end)) {
  if (ms == nullptr) return cudaErrorInvalidValue;
  const EventRef from = find_event(start);
  const EventRef to = find_event(end);
  return from == nullptr || to == nullptr ? cudaErrorInvalidResourceHandle : elapsed_ms(from, to, ms);
}

}  // namespace simgpu
