// What a rank's lines of code cost: how long its threads were in slow calls and in pauses there, and which
// idle time of the device the ledger charges to just that time.
//
// Every thread's known places are laid out as intervals: a call with a stack from its start to its end, and
// the looks at a pause. Each look stands for the time before it; the last of a pause also for the little
// that is left until the next call. An idle piece of a thread is then charged to the intervals that it
// overlaps:
//
//   thread   |cudaMemcpy at load:7|··look: collate:12··|·look: sleep:3·|launch
//   idle                  [10          idle_host_stall             50]
//   charged               load:7: 8, collate:12: 20, sleep:3: 12
//
// A thread that launches no device work (one that pins memory, say) has pauses that cost nobody anything:
// they are left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/device_windows.h"

namespace tauprof {

class PlaceTotals {
 public:
  // Steps outside `choice` are left out.
  PlaceTotals(const ProcessTrace& trace, const std::vector<StepWindow>& windows, const std::optional<StepRange>& choice,
              RankTimeline& timeline);

  // The device idled in `time`, in this window, because of what the thread did.
  void charge(int32_t window, uint16_t thread, Interval time, LedgerRow row);
  // This much of the window was spent in what the call launched.
  void charge_call(int32_t window, uint32_t call, Nanoseconds length, LedgerRow row);
  // The call's line, an index of the timeline's place names; kNoIndex: it has no stack.
  uint32_t place_of_call(uint32_t call);

 private:
  struct PlacedTime {
    Interval time;
    uint32_t stack;
    uint32_t call;  // kNoIndex: a pause
  };
  void lay_out(const std::vector<uint32_t>& window_of_step);
  void lay_out_thread(uint16_t thread, const std::vector<uint32_t>& window_of_step);
  void count(const PlacedTime& placed, const std::vector<uint32_t>& window_of_step);
  bool launches(uint16_t thread) const;
  const PlacedTime* placed_call(uint32_t call) const;
  PlaceTotal* total(int32_t window, uint32_t stack, uint32_t call);
  uint32_t place_name(uint32_t stack);

  const ProcessTrace& trace_;
  const std::vector<StepWindow>& windows_;
  const std::optional<StepRange>& choice_;
  RankTimeline& timeline_;
  Nanoseconds slow_ns_ = 0;                                          // a shorter call is not counted
  std::vector<std::string> places_;                                  // by stack
  std::vector<std::vector<PlacedTime>> times_;                       // by thread; disjoint, by start
  std::vector<size_t> next_;                                         // of times_, where the last charge ended
  std::map<std::string, uint32_t> names_;                            // of timeline_.place_names
  std::vector<std::map<std::pair<uint32_t, NameId>, size_t>> rows_;  // by table
};

}  // namespace tauprof
