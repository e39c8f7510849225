// Time of a rank's device and host at each path of its program (host_paths.h), in the analysed steps.
//
// - Device work counts for the path of the call that launched it, with its own name as the last part, if it starts in a
//   step's device window: as for the totals of kernels.
// - Where the ledger books a busy device, that counts for the work that decides the row. Where it books an idle one, it
//   counts for what the host did meanwhile or, if the device itself was the reason, for the call that launched what
//   ended the gap: as for places (metrics/places).
// - Host time counts in the steps' host windows: all of the main thread, of other threads what lies in ranges.
//
// Where stacks were recorded, the source lines of a call or pause are further parts of its path.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "classify/source_lines.h"
#include "metrics/call_tree/host_paths.h"
#include "metrics/call_tree/path_tree.h"
#include "metrics/source_lines/source_line_totals.h"
#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

class PathTotals {
 public:
  // Fills the timeline's paths. Leaves out steps outside `choice`. `located`: which lines are known.
  PathTotals(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
             const std::optional<StepRange>& choice, SourceLineTotals& located, RankTimeline& timeline);

  // A span starts in this window.
  void launched(int32_t window, uint32_t span);
  // The ledger books this much of the window for a span.
  void exposed(int32_t window, uint32_t span, Nanoseconds length);
  // The device idled for `time`; `launch`: the call that ended the gap, or kNoIndex.
  void idle(int32_t window, Interval time, LedgerRow row, uint32_t launch);
  // Adds the host's time, and gives the timeline the paths.
  void finish();

 private:
  bool is_left_out(int32_t window) const;
  PathTimes& times_of(int32_t window, uint32_t node);
  uint32_t node_of_span(uint32_t span);
  uint32_t node_of_call(uint32_t call);
  uint32_t with_callers(uint32_t node, uint32_t stack);
  uint32_t with_lines(uint32_t node, uint32_t stack);
  // Calls visit(node, length) for each part of a thread's time.
  template <class Visit>
  void by_path(uint16_t thread, Interval time, Visit&& visit);
  void add_host_time(int32_t window, Interval host);
  void add_blocked_calls();

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  const std::vector<StepWindow>& windows_;
  const std::optional<StepRange>& choice_;
  SourceLineTotals& located_;
  RankTimeline& timeline_;
  PathTree tree_;
  HostPaths paths_;
  SourceLines lines_;
  uint16_t main_thread_ = 0;
  std::vector<uint32_t> node_of_call_;                 // kNoIndex: not known yet
  std::vector<uint32_t> name_of_work_;                 // of the tree, by the trace's; kNoIndex: not yet
  struct Lines {  // of a stack, inside of a node
    uint32_t node;
    uint32_t count;
  };
  std::unordered_map<uint64_t, Lines> with_callers_;  // by node and stack
  std::vector<std::vector<uint32_t>> rows_;            // by table and node; kNoIndex: none
};

}  // namespace tauprof
