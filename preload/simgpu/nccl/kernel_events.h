// Profiler events of ended kernels: start and end of each channel by the device's timer and, for symmetric kernels, its
// phases. NCCL sends them from a thread of its own, which reads the records that kernels leave behind.
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
