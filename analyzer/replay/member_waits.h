// Whether members of rooted operations and messages wait for others that they would not need, as the recording shows.
//
// A root's broadcast is done for it once its data has gone, a leaf's part of a reduction once the root has taken it, a
// message once the receiver has. Whether that takes others depends on the algorithm, the protocol and the size: small
// messages are buffered, large ones go through a chain that moves only as a whole. A member that ended before another
// came did not wait for it; where members came well before the last, and none ever left before it, all wait for all.
// Example: ranks enter a reduction at 0, 10 and 50 and leave it at 61, 62 and 63. Clocks may be too far off to tell who
// came before whom left. But where members that came far apart end within a few microseconds of each other, again and
// again, no wrong clock makes it so.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

class MemberWaits {
 public:
  // `time_of`: when a member's operation takes place, on the run's clock.
  using TimeOf = std::function<Interval(const CollectiveMember&)>;
  MemberWaits(const std::vector<RankTimeline>& ranks, const TimeOf& time_of) : ranks_(ranks), time_of_(time_of) {}

  // Of a match whose members' operations are known.
  void look_at(const MatchedCollective& match);

  // Whether members of such operations have ended before others came; of messages, on the match's communicator.
  bool leave_early(const MatchedCollective& match) const { return seen_of(match).left_early; }
  bool wait_for_all(const MatchedCollective& match) const;

 private:
  struct Seen {
    bool left_early = false;
    bool waited = false;
    size_t came_before = 0;     // operations to which members came so long before the last …
    size_t ended_together = 0;  // … and of these, those that they left within kEndsApart of it
  };
  using Kind = std::tuple<bool, uint64_t, bool, log::Operation, int64_t>;  // of a communicator, and how much is moved
  static Kind kind_of(const MatchedCollective& match);
  Seen seen_of(const MatchedCollective& match) const {
    const auto found = seen_.find(kind_of(match));
    return found == seen_.end() ? Seen() : found->second;
  }

  const std::vector<RankTimeline>& ranks_;
  const TimeOf time_of_;
  std::map<Kind, Seen> seen_;
};

}  // namespace tauprof
