#include "simgpu/nccl/stream_order.h"

namespace simgpu::nccl {
namespace {

cudaError_t order(const Communicator& communicator, const StreamRef& later, const StreamRef& earlier) {
  if (is_capturing(later) || is_capturing(earlier)) return cudaSuccess;
  if (stream_traits(*earlier).device != communicator.device) return cudaErrorInvalidResourceHandle;
  return wait_stream(later, earlier);
}

}  // namespace

cudaError_t order_before(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others) {
  const StreamRef last = communicator.exchange_last_stream(stream);
  cudaError_t error = cudaSuccess;
  if (last && last != stream) error = order(communicator, stream, last);
  for (const StreamRef& other : others) {
    if (error == cudaSuccess) error = order(communicator, stream, other);
  }
  return error;
}

cudaError_t order_after(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others) {
  cudaError_t error = cudaSuccess;
  for (const StreamRef& other : others) {
    if (error == cudaSuccess) error = order(communicator, other, stream);
  }
  return error;
}

}  // namespace simgpu::nccl
