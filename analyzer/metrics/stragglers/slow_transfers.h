// Which collectives move data more slowly than others that do the same.
//
// The shortest span of a collective over its members contains no waiting and depends on no clock. Communicators of
// equal size that carry out the same operation on as many bytes should take equally long: the first one in a step of
// each, the second, and so on. One that takes a quarter longer than the typical one (the lower median) takes long.
//
// A single disturbed transfer says nothing of a link. So a transfer is slow if, of it and those of its communicator
// around it, as many as a step has, most take long, by their usual time. As many are taken before it as after it, but
// for the first and the last two, so this finds with which transfer a link becomes slow or recovers.
// Example: of eight transfers L L - L - - - -, where L takes long, five are around each. The first three are slow.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

struct JudgedTransfer {
  uint32_t match;
  bool is_slow;
};

// By communicator, in its order, those that can be compared with others; none of communicators with very few.
std::vector<std::vector<JudgedTransfer>> judge_transfers(const std::vector<RankTimeline>& ranks,
                                                         const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
