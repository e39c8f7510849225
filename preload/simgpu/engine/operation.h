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

class Operation;  // the timeline's; see timeline.h
using OperationRef = std::shared_ptr<Operation>;

// Decides when an operation ends that also depends on other processes or streams: a collective. All functions run with
// the engine's lock held. They must not block or call into the engine, except any_kernel_running and ring_doorbell.
class ExternalProgress {
 public:
  virtual ~ExternalProgress() = default;
  // The device reached the operation at `start` (host time, perhaps slightly in the past). `span` is its id.
  virtual void started(Nanoseconds start, std::uint64_t span) = 0;
  // When it ends or ended (host time, not before `start`); nullopt until that is known. Asked whenever this process's
  // doorbell was rung or time has passed.
  virtual std::optional<Nanoseconds> end() = 0;
  // The operation is over: it ended at `end`, or was abandoned (process teardown, abort) if `end` is nullopt.
  virtual void finished(std::optional<Nanoseconds> end) = 0;
};

struct OperationRequest {
  SpanDescription span;  // SpanKind::None: makes no record
  Work work;
  // Called for every execution, because a graph replays its nodes. Null: the work's duration decides the end.
  std::function<std::shared_ptr<ExternalProgress>()> external;
  // Moves the data when the operation ends, on any thread, with the engine's lock held. Must be short.
  std::function<void()> effect;
  // Runs on the callback thread without the lock; the stream continues when it returns.
  std::function<void()> host_function;
};

// Other processes ring the doorbell to make this process's engine ask its ExternalProgress objects. The name fits in 63
// bytes and every process of the machine can open it; it is empty if there is no shared memory.
SIMGPU_API const char* doorbell_name();
// False: the process is gone.
SIMGPU_API bool ring_doorbell(const char* name);

// Whether a kernel of Resource::Compute runs on the device now. Needs the engine's lock (called by ExternalProgress).
SIMGPU_API bool any_kernel_running(int device);

}  // namespace simgpu
