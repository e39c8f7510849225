// One piece of work on a device, and how a library asks for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "simgpu/engine/clock.h"
#include "simgpu/engine/cost_model.h"
#include "simgpu/engine/span.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

class Operation;  // the scheduler's; see timeline.h
using OperationRef = std::shared_ptr<Operation>;

// The end of an operation that other processes or streams help to decide: a collective. All functions are called with
// the engine's lock held and must not block or call back into the engine, but for any_kernel_running and ring_doorbell.
class ExternalProgress {
 public:
  virtual ~ExternalProgress() = default;
  // The device has reached the operation, at `start` (host time; it may lie a little in the past). `span` is its id.
  virtual void started(Nanoseconds start, std::uint64_t span) = 0;
  // When it ends or ended (host time, not before `start`), as soon as that is known. Asked whenever this process's
  // doorbell has been rung or time has passed.
  virtual std::optional<Nanoseconds> end() = 0;
  // The operation is over: at `end`, or abandoned (process teardown, abort) where `end` is nullopt.
  virtual void finished(std::optional<Nanoseconds> end) = 0;
};

struct OperationRequest {
  SpanDescription span;  // SpanKind::None: no record of it is made
  Work work;
  // Made anew for every execution, because a graph replays its nodes. Null: the work's duration decides.
  std::function<std::shared_ptr<ExternalProgress>()> external;
  // Data movement, when the operation ends, on any thread, with the engine's lock held. Short.
  std::function<void()> effect;
  // Called on the driver's own thread, without the lock; the stream goes on once it has returned.
  std::function<void()> host_function;
};

// Rung by other processes: wakes this process's engine to ask its ExternalProgress objects. The name fits in 63 bytes
// and can be opened by every process of the machine; empty where shared memory cannot be had.
SIMGPU_API const char* doorbell_name();
// False: that process is gone.
SIMGPU_API bool ring_doorbell(const char* name);

// Whether a kernel of Resource::Compute runs on the device now. With the engine's lock held (from ExternalProgress).
SIMGPU_API bool any_kernel_running(int device);

}  // namespace simgpu
