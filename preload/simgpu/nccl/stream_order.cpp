// Events between streams; none as long as a communicator stays on one stream.
#include "simgpu/nccl/stream_order.h"

namespace simgpu::nccl {
namespace {

// `later` waits for what is queued on `earlier` now.
cudaError_t wait_for_stream(int device, const StreamRef& later, const StreamRef& earlier) {
  if (is_capturing(later) || is_capturing(earlier)) return cudaSuccess;
  cudaEvent_t handle = nullptr;
  cudaError_t error = create_event(device, cudaEventDisableTiming, &handle);
  if (error != cudaSuccess) return error;
  const EventRef event = find_event(handle);
  error = record_event(event, earlier);
  if (error == cudaSuccess) error = wait_event(later, event);
  destroy_event(handle);
  return error;
}

}  // namespace

cudaError_t order_before(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others) {
  const StreamRef last = communicator.exchange_last_stream(stream);
  cudaError_t error = cudaSuccess;
  if (last && last != stream) error = wait_for_stream(communicator.device, stream, last);
  for (const StreamRef& other : others) {
    if (error == cudaSuccess) error = wait_for_stream(communicator.device, stream, other);
  }
  return error;
}

cudaError_t order_after(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others) {
  cudaError_t error = cudaSuccess;
  for (const StreamRef& other : others) {
    if (error == cudaSuccess) error = wait_for_stream(communicator.device, other, stream);
  }
  return error;
}

}  // namespace simgpu::nccl
