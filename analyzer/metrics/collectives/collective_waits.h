// When each collective could move data, and how long each rank waited (docs/metrics.md, "Collectives").
//
// ready(r) is the latest arrival among the members that arrived before end(r). The wait is ready − arrival, the
// transfer end − ready. This needs all members on one clock. Clocks are wrong by some microseconds even then, but
// lengths are not: where every member needs every other, nobody moves data for longer than the shortest span, because
// the last to arrive waits for nobody. What is longer is waiting, so there ready is at least end − shortest span.
// Example: A runs from 0 to 100, B from 10 to 30 by a clock that is 70 behind. By the clocks A waits 10, by the lengths
// 80.
//
// If clocks cannot tell, lengths alone can, as if all members had ended at once: kernels of 0.8 and 15.8 ms say who
// came last. So all-pairs collectives of a known communicator are split by lengths where a member's clock is not known,
// and, if they have sequence numbers, where clocks contradict each other or ends do not come together.
//
// NCCL itself knows of symmetric kernels when they had met the other ranks (KernelPhases). Where it says so on all
// members of an all-pairs collective, and its word agrees with the recorded kernels and from member to member, it
// counts. The last member to come waits for nobody; what NCCL says of it (the barrier's own time, or a first piece of
// data) is taken off on all. What clocks or lengths had said is compared with it.
//
// These stay unsplit:
//   - a collective without the log of a member, or of which only a send-receive kernel is known;
//   - other operations of ranks whose clocks are not known, and of all ranks if too many collectives contradict a
//     common clock;
//   - all of an unnamed communicator whose all-pairs collectives do not end together: its ranks are not one group
//     (imported traces may not name groups), or their clocks differ.
// A single contradiction is a remaining offset between devices: an arrival after another member's end does not count
// for that member. But a receiver whose sender seems to have started after its end waited until then.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

struct WaitQuality {
  uint64_t split = 0;
  uint64_t by_length = 0;       // of these, by lengths alone
  uint64_t incomplete = 0;      // a member's log is missing or lacks it, or peers are not known
  uint64_t contradicting = 0;   // all-pairs collectives in which a member ended before another started
  uint64_t not_together = 0;    // communicators whose members do not end together
  bool clocks_agree = true;     // false: too many contradict
  uint64_t without_clocks = 0;  // collectives that were not split because clocks are not known or contradict
  uint64_t ungrouped = 0;       // the same, because their ends say that their ranks are not one group

  // Of those that are split, by NCCL's own reports; and how far other evidence differs in members' waits.
  uint64_t by_nccl = 0;
  uint64_t compared_waits = 0;
  double total_difference = 0;  // ns
  Nanoseconds most_difference = 0;
  // Only where some are compared.
  Nanoseconds mean_difference() const {
    return compared_waits > 0 ? static_cast<Nanoseconds>(total_difference / static_cast<double>(compared_waits)) : 0;
  }
};

// Fills ready, is_split and is_upper_bound of every collective that can be split, and what clocks contradict.
WaitQuality split_waits(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
