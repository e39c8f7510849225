#include "metrics/collectives/collective_of_calls.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "metrics/collectives/bandwidth.h"

namespace tauprof {

using log::Operation;

namespace {

bool is_message(const CollectiveCall& call) {
  return call.operation == Operation::kSend || call.operation == Operation::kReceive;
}

// NCCL's phases of the call's kernel; nullptr: none.
const KernelPhases* phases_of(const CollectiveCall& call, const ProcessTrace& trace) {
  const std::pair wanted(call.communicator, call.sequence);
  const auto found = std::lower_bound(
      trace.kernel_phases.begin(), trace.kernel_phases.end(), wanted,
      [](const KernelPhases& one, const auto& key) { return std::pair(one.communicator, one.sequence) < key; });
  const bool is_known = found != trace.kernel_phases.end() && std::pair(found->communicator, found->sequence) == wanted;
  return is_known && !is_message(call) ? &*found : nullptr;
}

}  // namespace

void set_launch(RankCollective& unit, const HostCall& call) {
  unit.launch_start = call.start;
  unit.launch_end = call.end;
}

MessageNumbers::MessageNumbers(const ProcessTrace& trace) : numbers_(trace.collectives.size(), 0) {
  std::vector<std::pair<Nanoseconds, uint32_t>> by_start;
  for (uint32_t i = 0; i < trace.collectives.size(); ++i)
    if (const CollectiveCall& call = trace.collectives[i]; is_message(call) && call.call != kNoIndex)
      by_start.emplace_back(trace.calls[call.call].start, i);
  std::sort(by_start.begin(), by_start.end());
  std::map<std::tuple<int64_t, int32_t, Operation>, int64_t> counts;
  for (const auto& [start, i] : by_start) {
    const CollectiveCall& call = trace.collectives[i];
    numbers_[i] = ++counts[{call.communicator, call.peer, call.operation}];
  }
}

void add_call(RankCollective& unit, uint32_t index, const ProcessTrace& trace, const MessageNumbers& numbers,
              bool is_first) {
  const CollectiveCall& call = trace.collectives[index];
  if (is_message(call))
    unit.rare.edit().peer_calls.push_back(
        {call.peer, call.operation == Operation::kSend, call.count * size_of(call.datatype), numbers.of(index)});
  if (call.call != kNoIndex) unit.phase = trace.calls[call.call].phase;
  if (is_first) {
    unit.operation = call.operation;
    unit.datatype = call.datatype;
    unit.count = call.count;
    unit.sequence = call.sequence;
    unit.peer = call.peer;
    if (call.bytes_out != 0) unit.rare.edit().bytes_out = call.bytes_out;
    if (call.algorithm != kNoName) unit.algorithm = algorithm_of(trace.names[call.algorithm]);
    if (const auto known = trace.communicators.find(call.communicator); known != trace.communicators.end()) {
      unit.has_identity = known->second.identity != 0;
      unit.communicator = known->second.identity;
      unit.communicator_size = known->second.size;
      unit.communicator_rank = known->second.rank;
    }
    if (const KernelPhases* phases = phases_of(call, trace); phases != nullptr) {
      unit.rare.edit().reported_length = phases->end - phases->start;
      unit.rare.edit().reported_wait = phases->opened - phases->start;
    }
    return;
  }
  const bool same_kind = unit.operation == call.operation && unit.datatype == call.datatype;
  if (!unit.rare->peer_calls.empty()) unit.operation = Operation::kSendReceive;
  unit.count = same_kind ? unit.count + call.count : unit.count;
  if (call.bytes_out != 0) unit.rare.edit().bytes_out += call.bytes_out;
  unit.is_of_several = true;
}

bool is_exchange_of_neighbours(const RankCollective& unit, const std::set<uint64_t>& with_one_way) {
  return unit.communicator_size == 2 && unit.has_identity && with_one_way.count(unit.communicator) > 0 &&
         std::none_of(unit.rare->peer_calls.begin(), unit.rare->peer_calls.end(),
                      [&](const PeerCall& call) { return call.peer == unit.communicator_rank; });
}

void recognise_all_to_all(RankCollective& unit) {
  if (unit.operation != Operation::kSendReceive || unit.communicator_size < 2) return;
  const size_t peers = static_cast<size_t>(unit.communicator_size) - 1;
  if (unit.rare->peer_calls.size() < 2 * peers) return;
  std::vector<int> sends(unit.communicator_size), receives(unit.communicator_size);
  int64_t bytes_out = 0, bytes_in = 0, least = INT64_MAX, most = 0;
  for (const PeerCall& call : unit.rare->peer_calls) {
    if (call.peer < 0 || call.peer >= unit.communicator_size) return;
    ++(call.is_send ? sends : receives)[call.peer];
    if (!call.is_send && call.peer != unit.communicator_rank) bytes_in += call.bytes;
    if (call.is_send && call.peer != unit.communicator_rank) {  // a rank's part for itself does not leave it
      bytes_out += call.bytes;
      least = std::min(least, call.bytes);
      most = std::max(most, call.bytes);
    }
  }
  const auto is_once = [](int count) { return count == 1; };
  const auto peers_sent = std::count_if(sends.begin(), sends.end(), is_once);
  const auto peers_received = std::count_if(receives.begin(), receives.end(), is_once);
  if (peers_sent < unit.communicator_size - 1 || peers_received < unit.communicator_size - 1) return;
  unit.operation = Operation::kAllToAll;
  unit.is_of_several = false;
  RareParts& rare = unit.rare.edit();
  rare.peer_calls.clear();
  rare.bytes_in = bytes_in;
  if (least == most)
    unit.count = size_of(unit.datatype) > 0 ? most / size_of(unit.datatype) : 0;
  else
    rare.bytes_out = bytes_out, unit.count = 0;
}

}  // namespace tauprof
