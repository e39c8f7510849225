// The cost of a rank's source lines: the time that its threads spent there in slow calls and in pauses, and the part of
// the device's idle time that the ledger charges to it.
//
// Stacks place intervals of a thread's time at source lines. A call with a stack covers its own time. Samples taken
// during a pause each cover the time since the sample before; the last one also covers what is left until the next
// call. A piece of idle time is then charged to the intervals of its thread that it overlaps:
//
//   thread   |cudaMemcpy at load:7|··sample: collate:12··|·sample: sleep:3·|launch
//   idle                  [10              idle_host_stall               50]
//   charged               load:7: 8, collate:12: 20, sleep:3: 12
//
// Pauses of a thread that launches no device work (one that pins memory, say) cost nothing and are left out.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classify/source_lines.h"
#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

class SourceLineTotals {
 public:
  struct LocatedTime {
    Interval time;
    uint32_t stack;
    uint32_t call;  // kNoIndex: a pause
  };

  // Fills the timeline's source_lines and source_line_names. Leaves out steps outside `choice`.
  SourceLineTotals(const ProcessTrace& trace, const std::vector<StepWindow>& windows,
                   const std::optional<StepRange>& choice, RankTimeline& timeline);

  // The device idled for `time`, in this window, because of what the thread did.
  void charge(int32_t window, uint16_t thread, Interval time, LedgerRow row);
  // The device spent this much of the window in what the call launched.
  void charge_call(int32_t window, uint32_t call, Nanoseconds length, LedgerRow row);
  // Calls visit(located, part) for each part of a thread's time that is known to lie at a line, in order.
  template <class Visit>
  void visit(uint16_t thread, Interval time, Visit&& visit) {
    if (times_.empty() || times_[thread].empty()) return;
    const std::vector<LocatedTime>& times = times_[thread];
    size_t& next = next_[thread];
    while (next > 0 && times[next - 1].time.end > time.start) --next;
    while (next < times.size() && times[next].time.end <= time.start) ++next;
    for (size_t i = next; i < times.size() && times[i].time.start < time.end; ++i)
      visit(times[i], Interval{std::max(times[i].time.start, time.start), std::min(times[i].time.end, time.end)});
  }
  // The call's own time, if it has a stack; else null.
  const LocatedTime* located_call(uint32_t call) const;
  // The call's line, an index into the timeline's source_line_names; kNoIndex: it has no stack.
  uint32_t source_line_of_call(uint32_t call);

 private:
  void lay_out(const std::vector<uint32_t>& window_of_step);
  void lay_out_thread(uint16_t thread, const std::vector<uint32_t>& window_of_step);
  void count(const LocatedTime& located, const std::vector<uint32_t>& window_of_step);
  bool launches(uint16_t thread) const;
  SourceLineTotal* total(int32_t window, uint32_t stack, uint32_t call);
  uint32_t source_line_name(uint32_t stack);

  const ProcessTrace& trace_;
  const std::vector<StepWindow>& windows_;
  const std::optional<StepRange>& choice_;
  RankTimeline& timeline_;
  Nanoseconds slow_ns_ = 0;  // a shorter call is not counted
  SourceLines lines_;
  std::vector<uint32_t> name_of_stack_;          // of timeline_.source_line_names; kNoIndex: not yet
  std::vector<std::vector<LocatedTime>> times_;  // by thread; disjoint, by start
  std::vector<size_t> next_;                     // of times_, where the last charge ended
  std::map<std::string, uint32_t> names_;        // of timeline_.source_line_names
  std::vector<std::map<std::pair<uint32_t, NameId>, size_t>> rows_;  // by table
};

}  // namespace tauprof
