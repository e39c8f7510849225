// The words by which names tell which collective they stand for: names of kernels ("ncclDevKernel_AllGather_RING_LL"),
// of frameworks' annotations ("nccl:all_to_all") and of PyTorch's calls ("_allgather_base").
#pragma once

#include <cstdint>
#include <string_view>

#include "log/format.h"

namespace tauprof {

enum class NameSource : uint8_t { kAny, kKernel, kCall };

struct OperationWord {
  std::string_view text;  // in lower case
  log::Operation operation;
  NameSource source = NameSource::kAny;
};

// A word stands before those that are a part of it: "reduce" is a part of "allreduce".
inline constexpr OperationWord kOperationWords[] = {
    {"reducescatter", log::Operation::kReduceScatter},
    {"reduce_scatter", log::Operation::kReduceScatter},
    {"allreduce", log::Operation::kAllReduce},
    {"all_reduce", log::Operation::kAllReduce},
    {"allgather", log::Operation::kAllGather},
    {"all_gather", log::Operation::kAllGather},
    {"alltoall", log::Operation::kAllToAll},
    {"all_to_all", log::Operation::kAllToAll},
    {"all2all", log::Operation::kAllToAll, NameSource::kKernel},
    {"sendrecv", log::Operation::kSendReceive, NameSource::kKernel},
    {"send_recv", log::Operation::kSendReceive, NameSource::kKernel},
    {"cross_device_reduce", log::Operation::kAllReduce, NameSource::kKernel},
    {"broadcast", log::Operation::kBroadcast},
    {"barrier", log::Operation::kBarrier},
    {"gather", log::Operation::kGather},
    {"scatter", log::Operation::kScatter},
    {"reduce", log::Operation::kReduce},
    // A kernel whose name says only "send" may do anything.
    {"send", log::Operation::kSend, NameSource::kCall},
    {"recv", log::Operation::kReceive, NameSource::kCall},
};

// `name`: in lower case, of a kernel or of a call; an annotation counts as a kernel. kUnknown if no word is in it.
constexpr log::Operation operation_in_name(std::string_view name, NameSource source) {
  for (const OperationWord& word : kOperationWords)
    if ((word.source == NameSource::kAny || word.source == source) && name.find(word.text) != name.npos)
      return word.operation;
  return log::Operation::kUnknown;
}

}  // namespace tauprof
