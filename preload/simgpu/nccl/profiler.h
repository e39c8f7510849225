// The slot for a profiler plugin: NCCL loads the library that NCCL_PROFILER_PLUGIN names, or else
// libnccl-profiler.so, with the first communicator, and takes the newest version of the interface that it exports. The
// mask of wanted events is one for all communicators. What kernels did is told later, by kernel_events.h.
#pragma once

#include <vector>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// A communicator is ready; it ends.
void profile_communicator(Communicator& communicator);
void profile_end(Communicator& communicator);

// The events of a call, on the calling thread. `depth` counts open groups, with the call's own. Gives the message a
// task if the plugin wants to be told of it.
void profile_call(const Communicator& communicator, Message& message, cudaStream_t stream, bool is_captured, int depth);

// Of the outermost group of the thread: its end starts, one communicator's work has been launched, all is done.
void profile_group_end();
void profile_launched(const Communicator& communicator, const std::vector<Message>& messages,
                      const std::vector<StreamRef>& streams);
void profile_group_done();

}  // namespace simgpu::nccl
