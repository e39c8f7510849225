// Streams and events, with CUDA's rules of order.
//
// Every function takes the engine's lock itself. A function that returns cudaError_t returns what the documentation of
// the CUDA runtime says for the case: cudaErrorInvalidResourceHandle for a handle that names nothing, the device's
// sticky error if it has one, cudaErrorInitializationError in a forked child. On a stream that is being captured, the
// functions behave as documented for capture: work becomes a node, and a forbidden call fails and invalidates the
// capture.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <memory>

#include "simgpu/engine/operation.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

class Stream;
class Event;
using StreamRef = std::shared_ptr<Stream>;
using EventRef = std::shared_ptr<Event>;

// Meaning of handle 0: the legacy default stream to cudaX, the per-thread default stream to cudaX_ptsz.
// cudaStreamLegacy (1) and cudaStreamPerThread (2) mean the same to both.
enum class DefaultStream : std::uint8_t { Legacy, PerThread };

// Null: no such stream. A default stream is that of the thread's current device.
SIMGPU_API StreamRef find_stream(cudaStream_t handle, DefaultStream meaning = DefaultStream::Legacy);
SIMGPU_API EventRef find_event(cudaEvent_t handle);

SIMGPU_API cudaError_t create_stream(int device, unsigned flags, int priority, cudaStream_t* out);
SIMGPU_API cudaError_t destroy_stream(cudaStream_t handle);  // pending work still completes
struct StreamTraits {
  int device;
  unsigned flags;
  int priority;
  std::uint32_t id;  // CUPTI's stream id, unique on its device; also the result of cudaStreamGetId
};
SIMGPU_API StreamTraits stream_traits(const Stream& stream);

constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

// Queues work behind everything that must come before it by CUDA's rules. Returns at once unless the queue is full:
// 1024 operations pending on one stream block the caller, as with a real driver. `out`, if not null, receives the
// operation to wait for, or null if the stream is being captured.
SIMGPU_API cudaError_t submit(const StreamRef& stream, OperationRequest request, OperationRef* out = nullptr);

SIMGPU_API cudaError_t synchronize_stream(const StreamRef& stream);
SIMGPU_API cudaError_t query_stream(const StreamRef& stream);  // cudaSuccess or cudaErrorNotReady
SIMGPU_API cudaError_t synchronize_device(int device);
// Blocks until the operation has ended, without a synchronization record. For blocking copies and frees.
SIMGPU_API cudaError_t wait_for(const OperationRef& operation);
// When it ended (host time); nullopt if it has not.
SIMGPU_API std::optional<Nanoseconds> end_of(const OperationRef& operation);
// Whether the stream is being captured, which forbids blocking calls on it.
SIMGPU_API bool is_capturing(const StreamRef& stream);
// Called first by what is unsafe during a global or thread-local capture (cudaMalloc, cudaEventQuery, …). The caller
// returns an error as it is; the capture has become invalid.
SIMGPU_API cudaError_t check_unsafe_call();

SIMGPU_API cudaError_t create_event(int device, unsigned flags, cudaEvent_t* out);
SIMGPU_API cudaError_t destroy_event(cudaEvent_t handle);
SIMGPU_API cudaError_t record_event(const EventRef& event, const StreamRef& stream, unsigned flags = 0);
SIMGPU_API cudaError_t wait_event(const StreamRef& stream, const EventRef& event, unsigned flags = 0);
// Makes the next work on `later` wait for everything queued on `earlier` now.
SIMGPU_API cudaError_t wait_stream(const StreamRef& later, const StreamRef& earlier);
SIMGPU_API cudaError_t query_event(const EventRef& event);
SIMGPU_API cudaError_t synchronize_event(const EventRef& event);
SIMGPU_API cudaError_t elapsed_ms(const EventRef& from, const EventRef& to, float* out);
SIMGPU_API std::uint32_t event_id(const Event& event);

// For cudaDeviceReset. Gives up everything that is queued or runs on the device: external operations are notified,
// spans are not recorded. Afterwards the device's streams and events are gone.
SIMGPU_API void abandon_device(int device);
// For ncclCommAbort. Ends this operation now, whenever it would have ended.
SIMGPU_API void abandon_operation(const OperationRef& operation);

}  // namespace simgpu
