// Composes the mangled names.
#include "simgpu/nccl/kernel_name.h"

#include <algorithm>
#include <string>

#include "simgpu/engine/call.h"

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

}  // namespace simgpu::nccl
