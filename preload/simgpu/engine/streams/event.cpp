// Events: points in the work of a stream that others can wait for, with a time that can be read.
#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/observation.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/streams/capture.h"
#include "simgpu/engine/streams/stream_state.h"
#include "simgpu/engine/timeline/engine_lock.h"
#include "simgpu/engine/timeline/host_wait.h"
#include "simgpu/engine/timeline/timeline.h"

namespace simgpu {
namespace {

constexpr unsigned kEventFlags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

// cudaEventElapsedTime has a resolution of about half a microsecond.
constexpr Nanoseconds kTimeResolution = 500;

Nanoseconds shown_time(const Event& event) {
  const Nanoseconds time = device_time(event.record->device, event.record->end);
  return time - time % kTimeResolution;
}

// That the host waits for the event, from now on.
SyncSpan wait_of_host(const Event& event) {
  constexpr std::uint32_t kNoStream = 0xffffffff;
  return {
      SyncKind::EventSynchronize, context_of(event.device), kNoStream, event.id, current_correlation(), host_now(), 0};
}

// Called without the engine's lock.
void notify_over(SyncSpan& wait) {
  wait.end = host_now();
  if (is_observed()) notify_synchronized(wait);
}

}  // namespace

EventRef find_event(cudaEvent_t handle) {
  if (is_forked_child()) return nullptr;
  const std::lock_guard<std::mutex> lock(engine_lock());
  return StreamRegistry::get().events.find(handle);
}

cudaError_t create_event(int device, unsigned flags, cudaEvent_t* out) {
  if (!out || (flags & ~kEventFlags)) return cudaErrorInvalidValue;
  if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
  if (const cudaError_t error = usable(device)) return error;
  auto event = std::make_shared<Event>();
  event->device = device;
  event->flags = flags;
  const std::lock_guard<std::mutex> lock(engine_lock());
  StreamRegistry& registry = StreamRegistry::get();
  event->id = ++registry.last_event_id;
  *out = registry.events.insert<cudaEvent_t>(std::move(event));
  return cudaSuccess;
}

cudaError_t destroy_event(cudaEvent_t handle) {
  if (is_forked_child()) return cudaErrorInitializationError;
  const std::lock_guard<std::mutex> lock(engine_lock());
  return StreamRegistry::get().events.remove(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

std::uint32_t event_id(const Event& event) { return event.id; }

cudaError_t record_event(const EventRef& event, const StreamRef& stream, unsigned flags) {
  if (!event || !stream) return cudaErrorInvalidResourceHandle;
  if (flags & ~cudaEventRecordExternal) return cudaErrorInvalidValue;
  if (const cudaError_t error = usable(stream->device)) return error;
  if (event->device != stream->device) return cudaErrorInvalidResourceHandle;
  if (config().event_record > 0)
    for (const Nanoseconds until = host_now() + config().event_record; host_now() < until;) {
    }
  const EngineLock lock(engine_lock());
  if (stream->capture) return capture_event_record(event, stream);
  if (const cudaError_t error = check_implicit_wait(stream)) return error;
  event->capture.reset();
  event->capture_nodes.clear();
  event->record = enqueue(stream, {}, {});
  return cudaSuccess;
}

cudaError_t wait_event(const StreamRef& stream, const EventRef& event, unsigned flags) {
  if (!event || !stream) return cudaErrorInvalidResourceHandle;
  if (flags & ~cudaEventWaitExternal) return cudaErrorInvalidValue;
  if (const cudaError_t error = usable(stream->device)) return error;
  EngineLock lock(engine_lock());
  if (stream->capture || event->capture) return capture_event_wait(stream, event);
  if (const cudaError_t error = check_implicit_wait(stream)) return error;
  if (!event->record) return cudaSuccess;  // never recorded: nothing to wait for
  const Nanoseconds start = host_now();
  enqueue(stream, {}, {event->record});
  lock.unlock();
  if (is_observed()) {
    notify_synchronized({SyncKind::StreamWaitEvent, context_of(stream->device), stream->id, event->id,
                         current_correlation(), start, host_now()});
  }
  return cudaSuccess;
}

cudaError_t wait_stream(const StreamRef& later, const StreamRef& earlier) {
  cudaEvent_t handle = nullptr;
  cudaError_t error = create_event(earlier->device, cudaEventDisableTiming, &handle);
  if (error != cudaSuccess) return error;
  const EventRef event = find_event(handle);
  error = record_event(event, earlier);
  if (error == cudaSuccess) error = wait_event(later, event);
  destroy_event(handle);
  return error;
}

// Seen on an H100: a query that finds the event passed is recorded as a synchronization with it, as if it had waited.
cudaError_t query_event(const EventRef& event) {
  if (!event) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = usable(event->device)) return error;
  if (const cudaError_t error = check_unsafe_call()) return error;
  EngineLock lock(engine_lock());
  if (event->capture) return cudaErrorCapturedEvent;
  SyncSpan wait = wait_of_host(*event);
  Timeline::get().advance(host_now());
  if (const cudaError_t error = device_error(event->device)) return error;
  if (event->record && !event->record->is_done()) return cudaErrorNotReady;
  lock.unlock();
  notify_over(wait);
  return cudaSuccess;
}

cudaError_t synchronize_event(const EventRef& event) {
  if (!event) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = usable(event->device)) return error;
  if (const cudaError_t error = check_unsafe_call()) return error;
  EngineLock lock(engine_lock());
  if (event->capture) return cudaErrorCapturedEvent;
  SyncSpan wait = wait_of_host(*event);
  if (event->record) wait_until_over(lock, OperationRef(event->record));
  lock.unlock();
  notify_over(wait);
  return device_error(event->device);
}

cudaError_t elapsed_ms(const EventRef& from, const EventRef& to, float* out) {
  if (!out) return cudaErrorInvalidValue;
  if (!from || !to) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = usable(from->device)) return error;
  const std::lock_guard<std::mutex> lock(engine_lock());
  if (from->capture || to->capture) return cudaErrorCapturedEvent;
  if (!from->has_timing() || !to->has_timing()) return cudaErrorInvalidResourceHandle;
  if (!from->record || !to->record || from->device != to->device) return cudaErrorInvalidResourceHandle;
  Timeline::get().advance(host_now());
  if (!from->record->is_done() || !to->record->is_done()) return cudaErrorNotReady;
  *out = static_cast<float>(static_cast<double>(shown_time(*to) - shown_time(*from)) / 1e6);
  return cudaSuccess;
}

}  // namespace simgpu
