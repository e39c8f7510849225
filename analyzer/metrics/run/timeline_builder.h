// Books a device's time: what the sweep over it reports goes into the steps and collectives of the rank's timeline.
#pragma once

#include <optional>
#include <vector>

#include "classify/matrix_kernels.h"
#include "metrics/call_tree/path_totals.h"
#include "metrics/collectives/collective_units.h"
#include "metrics/ledger/device_sweep.h"
#include "metrics/ledger/idle_cause.h"
#include "metrics/places/place_totals.h"
#include "metrics/source_lines/source_line_totals.h"
#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "phases/phase_rules.h"
#include "steps/step_windows.h"

namespace tauprof {

// A visitor for sweep_device. Books every nanosecond in the step whose window it lies in.
class TimelineBuilder {
 public:
  TimelineBuilder(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                  CollectiveUnits units, const std::optional<StepRange>& choice, const PhaseRules& rules,
                  bool has_paths, RankTimeline& timeline)
      : trace_(trace),
        device_(device),
        windows_(windows),
        units_(std::move(units)),
        idle_(trace, device, rules),
        source_lines_(trace, windows, choice, timeline),
        places_(trace, windows, choice, timeline),
        timeline_(timeline),
        spent_before_(units_.units.size()) {
    if (has_paths) paths_.emplace(trace, device, windows, choice, source_lines_, timeline);
  }

  void segment(Interval time, ActiveSpans& active);
  void gap(Interval time, uint32_t ending_span);
  void started(uint32_t span);
  void ended(uint32_t span);
  void finish();

 private:
  // Calls book(step, part) for each part of `time` within one window, or between windows (step: kNoStep).
  template <class Book>
  void by_window(Interval time, Book&& book);
  void add(int32_t step, Phase phase, LedgerRow row, Nanoseconds length);
  void add_slice(int32_t step, Interval time, const ActiveSpans& active);
  void close_ledger();
  // The step whose window this time lies in, no earlier than what was booked last.
  int32_t step_at(Nanoseconds time) const;
  ComputeWork work_of(const DeviceSpan& span);
  bool multiplies(const DeviceSpan& span);

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  const std::vector<StepWindow>& windows_;
  CollectiveUnits units_;
  IdleCause idle_;
  SourceLineTotals source_lines_;
  PlaceTotals places_;
  std::optional<PathTotals> paths_;  // none: nobody asked
  RankTimeline& timeline_;
  SpentTime spent_;
  std::vector<SpentBefore> spent_before_;  // by unit
  Ledger ledger_;                          // of the window that is being booked
  int32_t ledger_step_ = kNoStep;
  size_t window_ = 0;
  std::vector<bool> counted_products_;
  MatrixKernels matrix_kernels_{trace_.names};
  std::vector<uint32_t> running_gemms_;  // spans
  std::vector<uint32_t> members_;
};

}  // namespace tauprof
