// Sizes of the operations, from the descriptions in nccl.h.
#include "simgpu/nccl/message.h"

#include "simgpu/nccl/hashing.h"

namespace simgpu::nccl {

const char* function_name(Function function) {
  static constexpr const char* kNames[] = {"AllReduce", "AllGather", "ReduceScatter", "AlltoAll", "Broadcast",
                                           "Scatter",   "Reduce",    "Gather",        "Send",     "Recv"};
  return kNames[static_cast<int>(function)];
}

std::size_t type_bytes(ncclDataType_t type) {
  switch (type) {
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    default:
      return 1;
  }
}

std::uint64_t block_bytes(const Message& message) { return message.count * type_bytes(message.type); }

std::uint64_t counted_bytes(const Message& message, int ranks) {
  switch (message.function) {
    case Function::AllGather:
    case Function::ReduceScatter:
    case Function::AlltoAll:
    case Function::Gather:
    case Function::Scatter:
      return block_bytes(message) * ranks;
    default:
      return block_bytes(message);
  }
}

std::uint64_t sent_bytes(const Message& message, int rank, int ranks) {
  const bool is_root = rank == message.peer;
  switch (message.function) {
    case Function::ReduceScatter:
    case Function::AlltoAll:
      return block_bytes(message) * ranks;
    case Function::Broadcast:
      return is_root ? block_bytes(message) : 0;
    case Function::Scatter:
      return is_root ? block_bytes(message) * ranks : 0;
    case Function::Recv:
      return 0;
    default:
      return block_bytes(message);
  }
}

bool is_in_place(const Message& message, int rank) {
  const auto* sent = static_cast<const char*>(message.send_buffer);
  const auto* received = static_cast<const char*>(message.receive_buffer);
  switch (message.function) {
    case Function::AllGather:
    case Function::Gather:
      return sent == received + rank * block_bytes(message);
    case Function::ReduceScatter:
    case Function::Scatter:
      return received == sent + rank * block_bytes(message);
    default:
      return sent == received;
  }
}

std::uint64_t signature(const Message& message) {
  // A send and its receive match, although their peers differ.
  const bool pairs = is_point_to_point(message.function);
  std::uint64_t hash = static_cast<std::uint64_t>(pairs ? Function::Send : message.function);
  hash = combined(hash, message.count);
  hash = combined(hash, message.type);
  if (is_rooted(message.function)) hash = combined(hash, message.peer);
  return reduces(message.function) ? combined(hash, message.reduction) : hash;
}

}  // namespace simgpu::nccl
