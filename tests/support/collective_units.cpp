// Joins the members of collectives and computes when they end.
#include "collective_units.h"

#include <algorithm>

#include "random.h"

namespace tauprof::generator {
namespace {

using log::Operation;

bool is_message(Operation operation) { return operation == Operation::kSend || operation == Operation::kReceive; }

// Bytes that cross one rank's link, by nccl-tests' bus factors.
int64_t link_bytes(const CollectiveUnit& unit) {
  const int64_t bytes = unit.count * datatype_bytes(unit.datatype);
  const int64_t others = unit.size - 1;
  switch (unit.operation) {
    case Operation::kAllReduce:
      return 2 * bytes * others / unit.size;
    case Operation::kAllGather:
    case Operation::kReduceScatter:
    case Operation::kAllToAll:
      return bytes * others;
    default:
      return bytes;
  }
}

}  // namespace

int64_t datatype_bytes(log::DataType datatype) { return datatype == log::DataType::kFloat32 ? 4 : 2; }

CollectiveUnits::Key CollectiveUnits::key_of(const Communicator& communicator, int index, int rank,
                                             const HostCall& call) {
  if (!is_message(call.operation)) return {index, -1, -1, call.sequence};
  const int self = communicator.index_of(rank);
  const bool is_send = call.operation == Operation::kSend;
  const int source = is_send ? self : call.peer;
  const int destination = is_send ? call.peer : self;
  return {index, source, destination, ++messages_[{index, source, destination, is_send}]};
}

CollectiveUnit CollectiveUnits::make_unit(int64_t id, int communicator_index, const Key& key,
                                          const HostCall& call) const {
  const Communicator& communicator = communicators_.at(communicator_index);
  CollectiveUnit unit;
  unit.id = id;
  unit.communicator = communicator.identity;
  unit.datatype = call.datatype;
  unit.count = call.count;
  unit.sequence = std::get<3>(key);
  unit.size = static_cast<int>(communicator.members.size());
  if (is_message(call.operation)) {
    unit.operation = Operation::kSendReceive;
    unit.root = 0;
    unit.parts.resize(2);
    unit.parts[0].rank = communicator.members[std::get<1>(key)];
    unit.parts[1].rank = communicator.members[std::get<2>(key)];
    return unit;
  }
  unit.operation = call.operation;
  unit.root = call.peer;
  for (int member : communicator.members) unit.parts.emplace_back().rank = member;
  return unit;
}

CollectiveUnits::Membership CollectiveUnits::join(int rank, const HostCall& call) {
  const int index = communicators_.index(rank, call.communicator);
  const Communicator& communicator = communicators_.at(index);
  const Key key = key_of(communicator, index, rank, call);
  const int64_t next_id = first_id_ + static_cast<int64_t>(units_.size());
  const auto [entry, is_new] = by_key_.emplace(key, next_id);
  if (is_new) units_.push_back(make_unit(next_id, index, key, call));
  CollectiveUnit& unit = units_[entry->second - first_id_];
  int part = communicator.index_of(rank);
  if (is_message(call.operation)) part = call.operation == Operation::kSend ? 0 : 1;
  unit.parts[part].launch = call.correlation;
  return {unit.id, part};
}

void CollectiveUnits::arrive(Membership membership, int64_t time, std::vector<int>& released) {
  CollectiveUnit& unit = units_[membership.unit - first_id_];
  unit.parts[membership.part].arrival = time;
  bool is_complete = true;
  for (size_t part = 0; part < unit.parts.size(); ++part) {
    if (unit.parts[part].end >= 0) continue;
    unit.parts[part].end = earliest_end(unit, part);
    if (unit.parts[part].end >= 0) {
      released.push_back(unit.parts[part].rank);
    } else {
      is_complete = false;
    }
  }
  if (is_complete) observer_.on_collective(unit);
}

int64_t CollectiveUnits::earliest_end(const CollectiveUnit& unit, size_t part) const {
  const bool is_root = static_cast<int>(part) == unit.root;
  const bool goes_alone = is_root && (unit.operation == Operation::kBroadcast || spec_.has_buffered_sends);
  int64_t ready = unit.parts[part].arrival;
  for (size_t other = 0; other < unit.parts.size() && ready >= 0; ++other) {
    if (goes_alone) break;
    if (unit.operation == Operation::kBroadcast && static_cast<int>(other) != unit.root) continue;
    const int64_t arrival = unit.parts[other].arrival;
    ready = arrival < 0 ? -1 : std::max(ready, arrival);
  }
  return ready < 0 ? -1 : ready + transfer_ns(unit) + scatter_ns(unit, part);
}

int64_t CollectiveUnits::transfer_ns(const CollectiveUnit& unit) const {
  const int64_t base = spec_.link_latency_ns + link_bytes(unit) * 1000 / spec_.link_bytes_per_us;
  int64_t slowness = 1000;
  for (const CollectivePart& part : unit.parts) {
    slowness = std::max(slowness, value_for(spec_.slow_links, part.rank, 1000));
  }
  Random random(spec_.seed ^ (static_cast<uint64_t>(unit.id) << 20));
  return random.around(base * slowness / 1000, spec_.jitter_permille);
}

int64_t CollectiveUnits::scatter_ns(const CollectiveUnit& unit, size_t part) const {
  Random random(spec_.seed ^ (static_cast<uint64_t>(unit.id) << 20) ^ (part + 1));
  return random.below(1500);
}

void CollectiveUnits::forget_all() {
  first_id_ += static_cast<int64_t>(units_.size());
  units_.clear();
  by_key_.clear();
}

}  // namespace tauprof::generator
