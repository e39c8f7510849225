// The calling thread's group.
#include "simgpu/nccl/group.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "simgpu/engine/device_scope.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/launch.h"
#include "simgpu/nccl/profiler.h"
#include "simgpu/nccl/transfer_time.h"

namespace simgpu::nccl {
namespace {

// One communicator's calls, in order.
struct Batch {
  CommunicatorRef communicator;
  std::vector<Message> messages;
  std::vector<StreamRef> streams;
};

struct Group {
  int depth = 0;
  ncclResult_t error = ncclSuccess;
  std::vector<InitializationRef> initializations;
  std::vector<Batch> batches;
};

thread_local Group current;

bool is_in_group() { return current.depth > 0; }

Batch& batch_of(const CommunicatorRef& communicator) {
  auto& batches = current.batches;
  const auto found = std::find_if(batches.begin(), batches.end(),
                                  [&](const Batch& batch) { return batch.communicator == communicator; });
  if (found != batches.end()) return *found;
  batches.push_back({communicator, {}, {}});
  return batches.back();
}

StreamRef stream_of(const Communicator& communicator, cudaStream_t handle) {
  const DeviceScope scope(communicator.device);
  return find_stream(handle);
}

// Outside of a group, a failed call affects no other.
ncclResult_t note(ncclResult_t result) {
  if (is_in_group() && result != ncclSuccess && result != ncclInProgress && current.error == ncclSuccess)
    current.error = result;
  return result;
}

// Finishes the initializations even after an error, because the other ranks wait for those that have started.
ncclResult_t run(Group& group) {
  const ncclResult_t up = finish(group.initializations);
  if (group.error != ncclSuccess) return group.error;
  if (up != ncclSuccess && up != ncclInProgress) return up;
  for (const Batch& batch : group.batches) {
    const ncclResult_t result = launch(batch.communicator, batch.messages, batch.streams);
    if (result != ncclSuccess) return result;
    profile_launched(*batch.communicator, batch.messages, batch.streams);
  }
  return up;
}

ncclResult_t run_alone(const CommunicatorRef& communicator, const Message& message, const StreamRef& stream) {
  profile_group_end();
  const ncclResult_t result = launch(communicator, {message}, {stream});
  if (result == ncclSuccess) profile_launched(*communicator, {message}, {stream});
  profile_group_done();
  return result;
}

}  // namespace

void start_group() { ++current.depth; }

ncclResult_t end_group() {
  if (!is_in_group()) return refuse(ncclInvalidUsage, "ncclGroupEnd: not in a group call.");
  if (--current.depth > 0) return ncclSuccess;
  Group group = std::exchange(current, {});
  profile_group_end();
  const ncclResult_t result = run(group);
  profile_group_done();
  return result;
}

ncclResult_t simulate_group(float* estimated_us) {
  if (!is_in_group()) return refuse(ncclInvalidUsage, "ncclGroupEnd: not in a group call.");
  if (--current.depth > 0) return ncclSuccess;
  const Group group = std::exchange(current, {});
  profile_group_done();
  const ncclResult_t up = finish(group.initializations);
  if (group.error != ncclSuccess) return group.error;
  TransferSettings settings = configured_settings();
  settings.jitter = 0;
  Nanoseconds longest = 0;
  for (const Batch& batch : group.batches) {
    Nanoseconds total = 0;
    for (const Message& message : batch.messages) {
      total += transfer_duration(settings, message, batch.communicator->ranks, {});
    }
    longest = std::max(longest, total);
  }
  if (estimated_us) *estimated_us = static_cast<float>(longest) / 1000;
  return up;
}

ncclResult_t add_to_group(ncclResult_t checked, const InitializationRef& initialization) {
  if (checked != ncclSuccess) return note(checked);
  if (!is_in_group()) return finish({initialization});
  current.initializations.push_back(initialization);
  initialization->advance();
  return ncclSuccess;
}

ncclResult_t add_to_group(ncclResult_t checked, const CommunicatorRef& communicator, const Message& message,
                          cudaStream_t stream) {
  if (checked != ncclSuccess) return note(checked);
  const StreamRef found = stream_of(*communicator, stream);
  if (!found) {
    return note(refuse(ncclUnhandledCudaError, "Cuda failure %d: no such stream", cudaErrorInvalidResourceHandle));
  }
  if (logs_calls()) {
    log_info("%s: sendbuff %p recvbuff %p count %zu datatype %d op %d root %d comm %s [nranks=%d] stream %p",
             function_name(message.function), message.send_buffer, message.receive_buffer, message.count, message.type,
             message.reduction, message.peer, communicator->name, communicator->ranks, static_cast<void*>(stream));
  }
  // An empty collective does nothing; an empty send still meets its receive.
  if (message.count == 0 && !is_point_to_point(message.function)) return ncclSuccess;
  Message profiled = message;
  profile_call(*communicator, profiled, stream, is_capturing(found), current.depth + 1);
  if (!is_in_group()) return run_alone(communicator, profiled, found);
  Batch& batch = batch_of(communicator);
  batch.messages.push_back(std::move(profiled));
  batch.streams.push_back(found);
  return ncclSuccess;
}

}  // namespace simgpu::nccl
