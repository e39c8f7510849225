// What a profiler plugin is told of kernels that have ended: when each channel started and ended by the device's timer,
// and, of symmetric kernels, its phases. NCCL tells it on a thread of its own, which looks at what kernels leave
// behind.
#pragma once

#include <memory>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

struct KernelTimes {
  Nanoseconds start, ready, end;  // ready: all ranks have arrived
};

// Waits for nothing: the events come soon after.
void profile_kernel(const Communicator& communicator, const std::shared_ptr<ProfiledTask>& task,
                    const KernelTimes& times);
// Returns when the plugin has been told of all kernels of the communicator that have ended.
void wait_for_kernel_events(const Communicator& communicator);

}  // namespace simgpu::nccl
