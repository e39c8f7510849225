// Streams and events, with CUDA's rules of order.
//
// Every function takes the engine's lock itself. A function that returns cudaError_t returns what the CUDA runtime's
// documentation says for the case, cudaErrorInvalidResourceHandle for a handle that names nothing, the device's sticky
// error where there is one, cudaErrorInitializationError in a forked child. Where a stream is being captured, the
// functions behave as documented for capture: work becomes a node, and what is not allowed fails and invalidates.
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

// What handle 0 means to the caller: cudaX is compiled with the legacy default stream, cudaX_ptsz with the per-thread
// one. cudaStreamLegacy (1) and cudaStreamPerThread (2) mean the same to both.
enum class DefaultStream : std::uint8_t { Legacy, PerThread };

// Null: no such stream. The default streams are those of the thread's current device.
SIMGPU_API StreamRef find_stream(cudaStream_t handle, DefaultStream meaning = DefaultStream::Legacy);
SIMGPU_API EventRef find_event(cudaEvent_t handle);

SIMGPU_API cudaError_t create_stream(int device, unsigned flags, int priority, cudaStream_t* out);
SIMGPU_API cudaError_t destroy_stream(cudaStream_t handle);  // pending work still completes
struct StreamTraits {
  int device;
  unsigned flags;
  int priority;
  std::uint32_t id;  // CUPTI's stream id; unique on its device. cudaStreamGetId gives the same
};
SIMGPU_API StreamTraits stream_traits(const Stream& stream);

constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

// Queues work behind everything that CUDA says it comes after. Returns at once, but for a full queue (1024 operations
// pending on one stream block the caller, as the driver's do). `out`, if not null, can be waited for; it is null after
// a submission to a capturing stream.
SIMGPU_API cudaError_t submit(const StreamRef& stream, OperationRequest request, OperationRef* out = nullptr);

SIMGPU_API cudaError_t synchronize_stream(const StreamRef& stream);
SIMGPU_API cudaError_t query_stream(const StreamRef& stream);  // cudaSuccess or cudaErrorNotReady
SIMGPU_API cudaError_t synchronize_device(int device);
// Blocks until the operation has ended; no synchronisation record is made. For blocking copies and frees.
SIMGPU_API cudaError_t wait_for(const OperationRef& operation);
// Where it ended, host time; nullopt while it has not.
SIMGPU_API std::optional<Nanoseconds> end_of(const OperationRef& operation);
// Whether the stream is being captured: blocking calls on it are forbidden then.
SIMGPU_API bool is_capturing(const StreamRef& stream);
// Calls that are unsafe during a global or thread-local capture (cudaMalloc, cudaEventQuery …) ask this first; an error
// is returned as it is, and the capture has become invalid.
SIMGPU_API cudaError_t check_unsafe_call();

SIMGPU_API cudaError_t create_event(int device, unsigned flags, cudaEvent_t* out);
SIMGPU_API cudaError_t destroy_event(cudaEvent_t handle);
SIMGPU_API cudaError_t record_event(const EventRef& event, const StreamRef& stream, unsigned flags = 0);
SIMGPU_API cudaError_t wait_event(const StreamRef& stream, const EventRef& event, unsigned flags = 0);
SIMGPU_API cudaError_t query_event(const EventRef& event);
SIMGPU_API cudaError_t synchronize_event(const EventRef& event);
SIMGPU_API cudaError_t elapsed_ms(const EventRef& from, const EventRef& to, float* out);
SIMGPU_API std::uint32_t event_id(const Event& event);

// Everything that is queued or runs on the device is given up: external operations are told, spans are not recorded.
// For cudaDeviceReset. The streams and events of the device are gone afterwards.
SIMGPU_API void abandon_device(int device);
// Abandons this one operation, whenever it would have ended, as of now. For ncclCommAbort.
SIMGPU_API void abandon_operation(const OperationRef& operation);

}  // namespace simgpu
