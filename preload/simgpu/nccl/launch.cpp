#include "simgpu/nccl/launch.h"

#include <cupti_driver_cbid.h>
#include <cupti_runtime_cbid.h>

#include <algorithm>
#include <string>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_scope.h"
#include "simgpu/engine/memory.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/progress.h"
#include "simgpu/nccl/registrations.h"

// Composes the mangled names.
// Each launch is a driver call, as in the real library, with a correlation id of its own.

namespace simgpu::nccl {
namespace {

// Trees have lower latency, rings have higher bandwidth.
constexpr std::uint64_t kLargestTreeBytes = 256 << 10;
constexpr int kFewestTreeRanks = 4;

const char* type_name(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return "u8";
    case ncclInt32:
    case ncclUint32:
      return "u32";
    case ncclInt64:
    case ncclUint64:
      return "u64";
    case ncclFloat16:
      return "f16";
    case ncclFloat32:
      return "f32";
    case ncclFloat64:
      return "f64";
    case ncclBfloat16:
      return "bf16";
    case ncclFloat8e4m3:
      return "f8e4m3";
    default:
      return "f8e5m2";
  }
}

bool is_collective_kernel(Function function) {
  return reduces(function) || function == Function::AllGather || function == Function::Broadcast;
}

std::string plain_name(const Message& message, int ranks) {
  std::string name = "ncclDevKernel_";
  if (!is_collective_kernel(message.function)) return name + "SendRecv";
  name += function_name(message.function);
  if (reduces(message.function)) name += std::string("_Sum_") + type_name(message.type);
  const bool is_tree = message.function == Function::AllReduce && ranks >= kFewestTreeRanks &&
                       counted_bytes(message, ranks) <= kLargestTreeBytes;
  return name + (is_tree ? "_TREE_LL" : "_RING_LL");
}

std::string symmetric_name(const Message& message, bool is_for_small) {
  const std::string name = std::string("ncclSymkDevKernel_") + function_name(message.function);
  if (message.function == Function::AllGather) return name + (is_for_small ? "_LL" : "_ST");
  const char* const way = message.function == Function::AllReduce ? (is_for_small ? "_AGxLL_R" : "_RSxLD_AGxST")
                                                                  : (is_for_small ? "_LL" : "_LD");
  return name + way + "_sum_" + type_name(message.type);
}

const char* mangled_name(const std::string& name, const char* argument) {
  std::string mangled = "_Z";
  mangled += std::to_string(name.size());
  mangled += name;
  mangled += argument;
  return interned_name(mangled.c_str());
}

cudaError_t order(const Communicator& communicator, const StreamRef& later, const StreamRef& earlier) {
  if (is_capturing(later) || is_capturing(earlier)) return cudaSuccess;
  if (stream_traits(*earlier).device != communicator.device) return cudaErrorInvalidResourceHandle;
  return wait_stream(later, earlier);
}

constexpr std::uint64_t kBytesPerChannel = 256 << 10;
constexpr std::uint32_t kThreadsPerChannel = 512;
constexpr std::uint32_t kRegisters = 96;
constexpr std::uint32_t kSharedBytes = 82240;

ncclResult_t cuda_failure(cudaError_t error) {
  return refuse(ncclUnhandledCudaError, "Cuda failure %d", static_cast<int>(error));
}

OperationRequest kernel_request(const CommunicatorRef& communicator, const std::vector<Message>& messages) {
  OperationRequest request;
  SpanDescription& span = request.span;
  span.kind = SpanKind::Collective;
  span.name = kernel_name(messages, communicator->ranks, are_symmetric(*communicator, messages));
  for (const Message& message : messages) span.bytes += counted_bytes(message, communicator->ranks);
  span.call = messages.front().call;
  const unsigned channels = channels_of(*communicator, messages);
  span.shape.grid[0] = channels;
  span.shape.block[0] = kThreadsPerChannel;
  span.shape.registers_per_thread = kRegisters;
  span.shape.dynamic_shared_bytes = kSharedBytes;
  request.work = {Resource::Transfer, 0, std::min(1.0, static_cast<double>(channels) / device_profile().sm_count)};
  request.external = [communicator, messages] { return std::make_shared<KernelProgress>(communicator, messages); };
  return request;
}

ncclResult_t launch_kernel(const CommunicatorRef& communicator, const std::vector<Message>& messages,
                           const StreamRef& stream) {
  static const ApiFunction function{"cuLaunchKernelEx", ApiDomain::Driver, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx};
  OperationRequest request = kernel_request(communicator, messages);
  ApiCall call(function, nullptr, request.span.name);
  OperationRef operation;
  const cudaError_t error = call.leave(submit(stream, std::move(request), &operation));
  if (error != cudaSuccess) return cuda_failure(error);
  if (operation) communicator->track(operation);
  return ncclSuccess;
}

ncclResult_t launch_copy(const Message& message, int ranks, const StreamRef& stream) {
  static const ApiFunction function{"cudaMemcpyAsync", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020};
  OperationRequest request;
  const std::uint64_t bytes = counted_bytes(message, ranks);
  request.span.kind = SpanKind::Memcpy;
  request.span.direction = CopyDirection::DeviceToDevice;
  request.span.is_async = true;
  request.span.bytes = bytes;
  request.span.call = message.call;
  request.work = copy_work(CopyDirection::DeviceToDevice, false, bytes);
  request.effect = [message, bytes] { move_bytes(message.receive_buffer, message.send_buffer, bytes); };
  ApiCall call(function);
  const cudaError_t error = call.leave(submit(stream, std::move(request)));
  return error == cudaSuccess ? ncclSuccess : cuda_failure(error);
}

ncclResult_t launch_alone(const CommunicatorRef& communicator, const std::vector<Message>& messages,
                          const StreamRef& stream) {
  std::vector<Message> pairs;
  for (const Message& message : messages) {
    if (is_point_to_point(message.function)) {
      pairs.push_back(message);
    } else if (!is_in_place(message, communicator->rank)) {
      const ncclResult_t result = launch_copy(message, communicator->ranks, stream);
      if (result != ncclSuccess) return result;
    }
  }
  return pairs.empty() ? ncclSuccess : launch_kernel(communicator, pairs, stream);
}

std::vector<StreamRef> other_streams(const std::vector<StreamRef>& streams) {
  std::vector<StreamRef> others;
  for (const StreamRef& stream : streams) {
    const bool is_known = stream == streams.front() || std::find(others.begin(), others.end(), stream) != others.end();
    if (!is_known) others.push_back(stream);
  }
  return others;
}

}  // namespace

bool is_small(const Message& message, int ranks) { return counted_bytes(message, ranks) <= kLargestTreeBytes; }

const char* kernel_name(const std::vector<Message>& messages, int ranks, bool are_symmetric) {
  if (are_symmetric)
    return mangled_name(symmetric_name(messages.front(), is_small(messages.front(), ranks)), "21ncclSymkDevWorkArgs4K");
  const auto first = std::find_if(messages.begin(), messages.end(),
                                  [](const Message& message) { return is_collective_kernel(message.function); });
  const std::string name = plain_name(first == messages.end() ? messages.front() : *first, ranks);
  return mangled_name(name, "24ncclDevKernelArgsStorageILm4096EE");
}

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

unsigned channels_of(const Communicator& communicator, const std::vector<Message>& messages) {
  std::uint64_t bytes = 0;
  for (const Message& message : messages) bytes += counted_bytes(message, communicator.ranks);
  const Configuration& wanted = communicator.configuration;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(bytes / kBytesPerChannel + 1, wanted.least_channels,
                                                         std::max(wanted.least_channels, wanted.most_channels)));
}

ncclResult_t launch(const CommunicatorRef& communicator, const std::vector<Message>& messages,
                    const std::vector<StreamRef>& streams) {
  if (messages.empty()) return ncclSuccess;
  const DeviceScope scope(communicator->device);
  const StreamRef& stream = streams.front();
  const std::vector<StreamRef> others = other_streams(streams);
  cudaError_t error = order_before(*communicator, stream, others);
  if (error != cudaSuccess) return cuda_failure(error);
  const ncclResult_t result = communicator->ranks == 1 ? launch_alone(communicator, messages, stream)
                                                       : launch_kernel(communicator, messages, stream);
  if (result != ncclSuccess) return result;
  error = order_after(*communicator, stream, others);
  return error == cudaSuccess ? ncclSuccess : cuda_failure(error);
}

}  // namespace simgpu::nccl
