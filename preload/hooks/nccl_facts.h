// Facts about NCCL's functions: collectives with their sequence numbers, groups, creating and destroying communicators.
#pragma once

#include <nccl.h>
#include <unistd.h>

#include "capture/calls/communicators.h"
#include "capture/calls/graph_captures.h"
#include "capture/device/device_activity.h"
#include "hooks/capture_number.h"
#include "hooks/hook_kinds.h"
#include "hooks/nccl_calls.h"

namespace tauprof::hooks {

inline bool is_accepted(int64_t result) { return result == ncclSuccess || result == ncclInProgress; }

template <int kArgument>
struct Count : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kCount;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload = argument<kArgument>(arguments);
  }
};

// The log numbers types differently from NCCL: its first is "unknown".
inline uint8_t log_type(ncclDataType_t type) {
  using log::DataType;
  static constexpr DataType kTypes[] = {DataType::kInt8,     DataType::kUint8,      DataType::kInt32,
                                        DataType::kUint32,   DataType::kInt64,      DataType::kUint64,
                                        DataType::kFloat16,  DataType::kFloat32,    DataType::kFloat64,
                                        DataType::kBfloat16, DataType::kFloat8E4M3, DataType::kFloat8E5M2};
  const auto number = static_cast<unsigned>(type);
  return static_cast<uint8_t>(number < sizeof kTypes / sizeof *kTypes ? kTypes[number] : DataType::kUnknown);
}

template <int kArgument>
struct ElementType : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.extension->collective.datatype = log_type(argument<kArgument>(arguments));
  }
};

template <int kArgument>
struct Reduction : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const auto number = static_cast<unsigned>(argument<kArgument>(arguments));
    reading.extension->collective.reduction = static_cast<uint8_t>(number < 254 ? number + 1 : 255);
  }
};

// The root or the peer.
template <int kArgument>
struct Peer : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.extension->collective.peer = argument<kArgument>(arguments) + 1;
  }
};

template <int kArgument>
struct Comm : Fact {
  static constexpr int kComm = kArgument;
};

// A communicator from ncclCommSplit knows its size only when it is ready: at its first use.
inline void learn_size(capture::Communicator& communicator, ncclComm_t handle, const void* site) {
  using Query = ncclResult_t (*)(ncclComm_t, int*);
  const capture::OwnCalls own;
  const auto count = query_function<Query>(kQuery_ncclCommCount, site);
  const auto user_rank = query_function<Query>(kQuery_ncclCommUserRank, site);
  int size = 0, rank = -1;
  if (count == nullptr || user_rank == nullptr || count(handle, &size) != ncclSuccess ||
      user_rank(handle, &rank) != ncclSuccess)
    return;
  capture::communicators.set_size(communicator, size, rank);
}

// A collective or a message. `CommFact` is a Comm<…>: the sequence numbers are the communicator's.
template <log::Operation kOperation, class CommFact, class... Facts>
struct Collective : FactList<capture::kCategoryNccl, Launches, CommFact, Facts...> {
  using List = FactList<capture::kCategoryNccl, Launches, CommFact, Facts...>;
  static constexpr bool kTracks = true;
  static constexpr int kComm = CommFact::kComm;
  static constexpr bool kIsMessage = kOperation == log::Operation::kSend || kOperation == log::Operation::kReceive;
  static constexpr uint32_t kInterest = List::kInterest | capture::kTracking;
  static constexpr capture::DropKind kDrop = capture::DropKind::kCollective;
  static constexpr capture::HookRecord kRecord = capture::HookRecord::kCollective;
  static constexpr bool kHasExtension = true;

  // NCCL tells of the call while it is made (nccl_phases.h).
  template <class Arguments>
  static void before(ThreadState& thread, const Arguments& arguments) {
    if (capture::recording() & capture::kAsksPhases) [[unlikely]]
      thread.communicator = capture::communicators.find(argument<CommFact::kComm>(arguments));
  }

  // The sequence advances whether or not the call is recorded. read() runs after this.
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    const ncclComm_t handle = argument<CommFact::kComm>(arguments);
    capture::Communicator* communicator = capture::communicators.find(handle);
    thread.communicator = communicator;
    thread.sequence = 0;
    thread.graph = 0;
    if (communicator == nullptr || !is_accepted(result)) return;
    if (communicator->size == 0) [[unlikely]]
      learn_size(*communicator, handle, thread.site);
    if (capture::graph_captures.is_any_open()) [[unlikely]]
      thread.graph = capture::graph_captures.with_number(capture_number(stream_of(arguments), thread.site));
    if (thread.graph != 0) [[unlikely]]
      return keep_for_launches(thread, arguments);
    const uint64_t group = thread.group_depth != 0 ? thread.group : 0;
    thread.sequence = capture::communicators.count(*communicator, kOperation, group);
    if (group == 0) return;
    if (kIsMessage) thread.group_has_messages = true;
    if (capture::device_activity.times_with_events()) [[unlikely]]
      thread.add_group_stream(stream_of(arguments));
  }

  template <class Arguments>
  static void read(Reading& reading, ThreadState& thread, int64_t, const Arguments& arguments) {
    capture::CollectiveUnit& unit = reading.extension->collective;
    unit.tag = capture::ExtensionTag::kCollective;
    unit.operation = static_cast<uint8_t>(kOperation);
    unit.communicator = thread.communicator != nullptr ? thread.communicator->number : 0;
    unit.sequence = thread.sequence;
    unit.group = thread.group_depth != 0 ? thread.group : 0;
    unit.graph = thread.graph;
    (Facts::read(reading, arguments), ...);
  }

 private:
  // A captured collective runs, and counts, when the graph is launched.
  template <class Arguments>
  static void keep_for_launches(ThreadState& thread, const Arguments& arguments) {
    capture::Unit extension = {};
    Reading reading{thread.site, {}, &extension};
    read(reading, thread, 0, arguments);
    capture::graph_captures.add_collective(thread.graph, thread.communicator, thread.function, reading.call,
                                           extension.collective);
  }
  template <class Arguments>
  static void* stream_of(const Arguments& arguments) {
    return reinterpret_cast<void*>(argument<List::kStream>(arguments));
  }
};

struct OpensGroup : Fact {
  static constexpr bool kTracks = true;
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments&) {
    if (result != ncclSuccess || thread.group_depth++ != 0) return;
    thread.group = capture::communicators.new_group();
    thread.group_stream_count = 0;
  }
};

struct ClosesGroup : Fact {
  static constexpr bool kTracks = true;
  static constexpr bool kEndsGroup = true;
  template <class Arguments>
  static void after(ThreadState& thread, int64_t, const Arguments&) {
    if (thread.group_depth == 0 || --thread.group_depth != 0) return;
    if (thread.group_has_messages) capture::communicators.end_group(thread.group);
    thread.group_has_messages = false;
  }
};

// ncclCommInitRank and its relatives: the arguments have size and rank.
template <int kNew, int kSize, int kId, int kRank>
struct CreatesComm : Fact {
  static constexpr bool kTracks = true;
  static const ncclUniqueId* pointer_to(const ncclUniqueId& id) { return &id; }
  static const ncclUniqueId* pointer_to(const ncclUniqueId* ids) { return ids; }
  template <class Arguments>
  static void before(ThreadState&, const Arguments&) {
    capture::communicators.expect(1);
  }
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (!is_accepted(result)) capture::communicators.expect(-1);
    if (!is_accepted(result) || argument<kNew>(arguments) == nullptr) return;
    const uint64_t identity = capture::identity_of(pointer_to(argument<kId>(arguments)), sizeof(ncclUniqueId), 0);
    capture::communicators.add(*argument<kNew>(arguments),
                               {identity, argument<kSize>(arguments), argument<kRank>(arguments), thread.device, 0});
  }
};

// A communicator over devices of this process alone. No other process is a member, so any number may be its identity.
struct CreatesAllComms : Fact {
  static constexpr bool kTracks = true;
  template <class Arguments>
  static void before(ThreadState&, const Arguments& arguments) {
    capture::communicators.expect(argument<1>(arguments));
  }
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    ncclComm_t* const handles = argument<0>(arguments);
    const int size = argument<1>(arguments);
    const int* const devices = argument<2>(arguments);
    if (!is_accepted(result) || handles == nullptr) return;
    const uint64_t seed[2] = {capture::now_ns(), static_cast<uint64_t>(getpid())};
    const uint64_t identity = capture::identity_of(seed, sizeof seed, 1);
    for (int rank = 0; rank < size; ++rank)
      capture::communicators.add(handles[rank], {identity, size, rank, devices != nullptr ? devices[rank] : rank, 0});
  }
};

// A communicator made from a part of its parent, which determines its identity. `kColor` -1: ncclCommShrink.
template <int kParent, int kNew, int kColor>
struct DividesComm : Fact {
  static constexpr bool kTracks = true;
  template <class Arguments>
  static void before(ThreadState&, const Arguments&) {
    capture::communicators.expect(1);
  }
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    capture::Communicator* parent = capture::communicators.find(argument<kParent>(arguments));
    const ncclComm_t* handle = argument<kNew>(arguments);
    const bool has_none = !is_accepted(result) || handle == nullptr || *handle == nullptr;
    if (has_none) capture::communicators.expect(-1);
    if (!is_accepted(result) || parent == nullptr) return;
    constexpr uint64_t kWay = kColor >= 0 ? 2 : 3;
    uint64_t seed[3] = {parent->identity, 0, 0};
    if constexpr (kColor >= 0) {
      seed[1] = __atomic_add_fetch(&parent->splits, 1, __ATOMIC_RELAXED);
      seed[2] = static_cast<uint64_t>(argument<kColor>(arguments));
    } else {
      seed[1] = __atomic_add_fetch(&parent->shrinks, 1, __ATOMIC_RELAXED);
    }
    if (has_none) return;  // this rank has no color, so it is in no part
    capture::Communicators::Facts facts{capture::identity_of(seed, sizeof seed, kWay), 0, -1, parent->device,
                                        parent->number};
    facts.part = capture::identity_of(seed + 1, sizeof seed - sizeof *seed, kWay);
    capture::communicators.add(*handle, facts);
  }
};

// ncclCommGrow(parent, size, id, rank, grown, config): members that join have no parent, old ones no id, but one.
struct GrowsComm : Fact {
  static constexpr bool kTracks = true;
  template <class Arguments>
  static void before(ThreadState&, const Arguments&) {
    capture::communicators.expect(1);
  }
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    const ncclComm_t* const handle = argument<4>(arguments);
    const bool has_none = !is_accepted(result) || handle == nullptr || *handle == nullptr;
    if (has_none) return capture::communicators.expect(-1);
    const ncclUniqueId* const id = argument<2>(arguments);
    const uint64_t joined = id != nullptr ? capture::identity_of(id, sizeof *id, 0) : 0;
    const ncclComm_t old = argument<0>(arguments);
    capture::Communicator* const parent = old != nullptr ? capture::communicators.find(old) : nullptr;
    capture::Communicators::Facts facts{joined, argument<1>(arguments), argument<3>(arguments), thread.device, 0};
    if (parent != nullptr) {
      const uint64_t seed[2] = {parent->identity, __atomic_add_fetch(&parent->grows, 1, __ATOMIC_RELAXED)};
      facts.identity = capture::identity_of(seed, sizeof seed, 4);
      facts.part = capture::identity_of(seed + 1, sizeof *seed, 4);
      facts.joined_identity = joined;
      facts.rank = parent->rank;  // which stays
      facts.parent = parent->number;
      if (parent->rank < 0) facts.size = 0;  // both are asked when they are needed
    }
    capture::communicators.add(*handle, facts);
  }
};

template <int kArgument>
struct DestroysComm : Fact {
  static constexpr bool kTracks = true;
  template <class Arguments>
  static void before(ThreadState&, const Arguments& arguments) {
    capture::communicators.forget(argument<kArgument>(arguments));
  }
};

}  // namespace tauprof::hooks
