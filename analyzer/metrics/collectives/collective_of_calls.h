// A rank's collectives by its calls, whether or not the device's part in them is known.
#pragma once

#include <set>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

void set_launch(RankCollective& unit, const HostCall& call);

// Numbers the messages to and from each peer as the host called them, so that a kernel whose record is lost moves no
// other message.
class MessageNumbers {
 public:
  explicit MessageNumbers(const ProcessTrace& trace);
  // 0: no message, or its call is not recorded. `collective`: index into ProcessTrace::collectives.
  int64_t of(uint32_t collective) const { return numbers_[collective]; }

 private:
  std::vector<int64_t> numbers_;
};

// Adds a call to the unit: its only call, or one of a group's, of which the first says what the unit is. `index`: of
// the call in ProcessTrace::collectives.
void add_call(RankCollective& unit, uint32_t index, const ProcessTrace& trace, const MessageNumbers& numbers,
              bool is_first);

// An all-to-all of two ranks looks like two neighbouring pipeline stages that exchange activations for gradients. But
// such neighbours also send without receiving, when the pipeline fills and when it drains. `with_one_way`: the
// communicators on which some unit only sends or only receives.
bool is_exchange_of_neighbours(const RankCollective& unit, const std::set<uint64_t>& with_one_way);

// Recognises an all-to-all made of sends to and receives from every other rank.
void recognise_all_to_all(RankCollective& unit);

}  // namespace tauprof
