// The texts resemble NCCL's, so that a search for them finds help.
#include "simgpu/nccl/arguments.h"

#include <cstdlib>

#include "simgpu/engine/device.h"
#include "simgpu/engine/memory.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/initialization.h"

namespace simgpu::nccl {
namespace {

constexpr int kFirstFp8Major = 9;

bool checks_pointers() {
  static const bool checks = [] {
    const char* text = std::getenv("NCCL_CHECK_POINTERS");
    return text && std::atoi(text) == 1;
  }();
  return checks;
}

ncclResult_t check_buffer(const Communicator& communicator, const char* function, const char* name,
                          const void* buffer) {
  const auto allocation = find_allocation(buffer);
  if (!allocation) return refuse(ncclInvalidArgument, "%s : %s %p is not a valid pointer", function, name, buffer);
  const bool is_elsewhere = allocation->kind == MemoryKind::Device && allocation->device != communicator.device;
  if (!is_elsewhere) return ncclSuccess;
  return refuse(ncclInvalidArgument, "%s : %s allocated on device %d mismatchs with NCCL device %d", function, name,
                allocation->device, communicator.device);
}

ncclResult_t check_buffers(const Communicator& communicator, const char* function, const Message& message) {
  const bool is_root = communicator.rank == message.peer;
  const bool sends = message.function != Function::Recv && !(message.function == Function::Scatter && !is_root) &&
                     !(message.function == Function::Broadcast && !is_root);
  const bool receives = message.function != Function::Send && !(is_to_root(message.function) && !is_root);
  const ncclResult_t sent = sends ? check_buffer(communicator, function, "sendbuff", message.send_buffer) : ncclSuccess;
  if (sent != ncclSuccess || !receives) return sent;
  return check_buffer(communicator, function, "recvbuff", message.receive_buffer);
}

}  // namespace

ncclResult_t check_pointer(const void* pointer, const char* function, const char* name) {
  return pointer ? ncclSuccess : refuse(ncclInvalidArgument, "%s : %s argument is NULL", function, name);
}

ncclResult_t check_handle(ncclComm_t handle, const char* function, CommunicatorRef* out) {
  const ncclResult_t given = check_pointer(handle, function, "comm");
  if (given != ncclSuccess) return given;
  *out = find_communicator(handle);
  return *out ? ncclSuccess : refuse(ncclInvalidArgument, "Error: corrupted comm object detected");
}

ncclResult_t check_ready(ncclComm_t handle, const char* function, CommunicatorRef* out) {
  const ncclResult_t found = check_handle(handle, function, out);
  if (found != ncclSuccess) return found;
  Communicator& communicator = **out;
  const InitializationRef initialization = communicator.initialization();
  const bool in_progress = initialization && initialization->advance() == ncclInProgress;
  switch (communicator.phase.load()) {
    case Communicator::Phase::Ready:
      if (!in_progress) return ncclSuccess;
      [[fallthrough]];
    case Communicator::Phase::Initializing:
      return refuse(ncclInvalidArgument,
                    "Attempt to use communicator before the previous operation returned ncclSuccess");
    case Communicator::Phase::Failed:
      return communicator.async_result.load();
    case Communicator::Phase::Revoked:
      return refuse(ncclInvalidUsage, "%s : the communicator is revoked", function);
    default:
      return refuse(ncclInvalidUsage, "%s : the communicator is finalized or aborted", function);
  }
}

ncclResult_t check_parent(ncclComm_t handle, const char* function, CommunicatorRef* out) {
  const ncclResult_t found = check_handle(handle, function, out);
  const bool is_revoked = found == ncclSuccess && (*out)->phase == Communicator::Phase::Revoked;
  return is_revoked ? ncclSuccess : check_ready(handle, function, out);
}

ncclResult_t check_message(const Communicator& communicator, const char* function, Message* message) {
  if (message->type < 0 || message->type >= ncclNumTypes) {
    return refuse(ncclInvalidArgument, "%s : invalid type %d", function, message->type);
  }
  const bool has_peer = is_point_to_point(message->function) || is_rooted(message->function);
  if (has_peer && (message->peer < 0 || message->peer >= communicator.ranks)) {
    return refuse(ncclInvalidArgument, "%s : invalid root %d (root should be in the 0..%d range)", function,
                  message->peer, communicator.ranks);
  }
  if (reduces(message->function)) {
    const bool is_fp8 = message->type == ncclFloat8e4m3 || message->type == ncclFloat8e5m2;
    if (is_fp8 && device_profile().major < kFirstFp8Major) {
      return refuse(ncclInvalidArgument, "FP8 reduction support begins with sm90 capable devices.");
    }
    if (!resolve_reduction(communicator, message)) {
      return refuse(ncclInvalidArgument, "%s : invalid reduction operation %d", function, message->reduction);
    }
  }
  return checks_pointers() ? check_buffers(communicator, function, *message) : ncclSuccess;
}

}  // namespace simgpu::nccl
