// Which records of different ranks belong to the same collective (docs/metrics.md, "Collectives").
//
// Within a communicator, collectives match by sequence number if every rank has them, else by order
// (collective_order.h). Sends and receives match first in, first out on each channel (communicator, source,
// destination), as the hosts called them.
//
// A collective without device times (of a rank that has none, or in a graph whose nodes have no records) takes part
// like any other, but not as a member: nothing says when its rank arrived.
#pragma once

#include <vector>

#include "metrics/collectives/collective_member.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct MatchedCollective {
  uint64_t communicator = 0;
  bool has_identity = false;
  int32_t expected = 0;  // members that take part; 0: not known
  bool is_point_to_point = false;
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  int64_t count = 0;
  int64_t bytes_out = 0;                  // sum over members, where they differ per rank
  std::vector<CollectiveMember> members;  // by rank
  std::vector<CollectiveMember> untimed;  // the same of parts without device times

  // Whether all that take part are known, with device times.
  bool is_complete() const { return expected > 0 && static_cast<int32_t>(members.size()) >= expected; }
};

// All ranks that called it, by rank.
std::vector<CollectiveMember> callers_of(const MatchedCollective& match);

// The shortest span of its members. The last to arrive does not wait for anybody, so this holds no waiting, and it
// depends on no clock.
Nanoseconds shortest_span(const std::vector<RankTimeline>& ranks, const MatchedCollective& match);

// Every collective of every rank is in at least one match, if need be alone. A communicator's matches keep its order.
std::vector<MatchedCollective> match_collectives(const std::vector<RankTimeline>& ranks);

}  // namespace tauprof
