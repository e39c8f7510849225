// The part of RankHost that issues collectives and messages, alone or in groups.
#include <algorithm>

#include "rank_host.h"

namespace tauprof::generator {
namespace {

using log::DataType;
using log::Operation;

std::string_view collective_function(Operation operation) {
  switch (operation) {
    case Operation::kAllReduce:
      return "ncclAllReduce";
    case Operation::kAllGather:
      return "ncclAllGather";
    case Operation::kReduceScatter:
      return "ncclReduceScatter";
    case Operation::kAllToAll:
      return "ncclAlltoAll";
    case Operation::kBroadcast:
      return "ncclBroadcast";
    case Operation::kSend:
      return "ncclSend";
    default:
      return "ncclRecv";
  }
}

std::string_view collective_kernel(Operation operation, DataType datatype) {
  switch (operation) {
    case Operation::kAllReduce:
      return datatype == DataType::kBfloat16
                 ? "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
                 : "ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    case Operation::kAllGather:
      return "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    case Operation::kReduceScatter:
      return "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    case Operation::kBroadcast:
      return "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    default:
      return "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
  }
}

// NCCL's count: of the whole buffer, or of one rank's part in operations where each rank has a part.
int64_t element_count(Operation operation, int64_t bytes, DataType datatype, int64_t members) {
  const int64_t elements = bytes / datatype_bytes(datatype);
  switch (operation) {
    case Operation::kAllGather:
    case Operation::kReduceScatter:
    case Operation::kAllToAll:
      return std::max<int64_t>(1, elements / members);
    default:
      return elements;
  }
}

}  // namespace

int64_t RankHost::member_count(const HostOp& op) const {
  return static_cast<int64_t>(communicators_.of(rank_, op.role).members.size());
}

HostCall RankHost::start_collective(const HostOp& op, Operation operation, CallRole role) {
  HostCall call = start_call(op, collective_function(operation), role);
  call.stream = op.stream;
  call.operation = operation;
  call.datatype = op.datatype;
  call.communicator = op.role;
  call.sequence = ++sequences_[op.role];
  call.count = element_count(op.operation, op.bytes / op.calls, op.datatype, member_count(op));
  call.peer = op.peer;
  return call;
}

void RankHost::collective(const HostOp& op) {
  if (op.grouping != Grouping::kNone) return collective_group(op);
  HostCall call = start_collective(op, op.operation, CallRole::kLaunch);
  enqueue_collective(op, call, call);
  work(2 * call_duration());
  end_call(call, now_);
}

// The calls of a group are only collected; its end launches one kernel for all of them.
void RankHost::collective_group(const HostOp& op) {
  plain_call(op, "ncclGroupStart");
  ++groups_;
  HostCall whole;
  if (op.grouping == Grouping::kMessages) {
    for (int peer = 0; peer < member_count(op); ++peer) {
      group_call(op, Operation::kSend, peer, whole);
      group_call(op, Operation::kReceive, peer, whole);
    }
    whole.count = element_count(op.operation, op.bytes, op.datatype, member_count(op));
  } else {
    for (int i = 0; i < op.calls; ++i) group_call(op, op.operation, op.peer, whole);
  }
  whole.operation = op.operation;
  whole.peer = op.peer;
  HostCall end = start_call(op, "ncclGroupEnd", CallRole::kLaunch);
  end.stream = op.stream;
  end.group = groups_;
  whole.correlation = end.correlation;
  enqueue_collective(op, end, whole);
  work(2 * call_duration());
  end_call(end, now_);
}

// Adds the call to `whole`, which has the sequence number of the first call.
void RankHost::group_call(const HostOp& op, Operation operation, int peer, HostCall& whole) {
  HostCall call = start_collective(op, operation, CallRole::kOther);
  call.peer = peer;
  call.group = groups_;
  work(call_duration());
  end_call(call, now_);
  const int64_t gathered = whole.count;
  if (gathered == 0)
    whole = call;
  else
    whole.count = gathered + call.count;
}

void RankHost::enqueue_collective(const HostOp& op, const HostCall& launch, const HostCall& what) {
  QueuedOp queued = queued_span(op, launch.start);
  queued.span.launch = launch.correlation;
  queued.span.correlation = ++correlation_;
  queued.membership = units_.join(rank_, what);
  queued.span.unit = queued.membership.unit;
  queued.span.name = collective_kernel(what.operation, what.datatype);
  queued.span.bytes = 0;
  device_.push(op.stream, queued);
}

}  // namespace tauprof::generator
