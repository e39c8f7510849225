// Device times in some steps only: TAUPROF_EVERY (step_blocks.h). Says when they are wanted, and keeps from when to
// when they were taken, for the log (record `device_times`) and for records that come later.
//
// Whether they are wanted follows from the steps; whether they are taken, from the source. An example with blocks of 8:
//
//     step           0 … 7   8          9 … 14   15         16 …
//     wanted         yes     no         no       yes        yes
//     the source     taken   draining   off      taken      taken
//     state          taken   switching  off      switching  taken
//
// Draining: the source stays on until each launch of the full block has its record (cupti_activity.h). It is switched
// on again a step ahead, because that takes a while. So the steps in which it is switched are neither full nor light,
// and if it never gets switched off, because it refuses or a block is too short, there are no light steps.
//
// Full blocks reach a little beyond their steps, so that each of these lies in its block whole: a step's start, as the
// log has it, may be microseconds away from what the recorder sees. And what PyTorch does between an update and the
// next pass may belong to either step.
//
// Until steps have certain numbers, and where nobody counts them, all are full. The numbers count from the first wanted
// step (TAUPROF_START_STEP), so that a window starts with a full block.
#pragma once

#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/window/step_blocks.h"
#include "log/writer.h"

namespace tauprof::capture {

// The caller holds a lock around every function.
class TimedSteps {
 public:
  using State = log::DeviceTimesState;

  void start(const Configuration& configuration) {
    blocks_ = StepBlocks(configuration.every);
    first_ = configuration.start_step;
  }
  // Whether steps may be light. Else nothing below has an effect.
  bool may_be_light() const { return blocks_.have_light(); }

  // The number of the step in progress. `is_between`: the step before is over, and the pass that starts this one has
  // not come.
  void know_step(uint64_t number, bool is_between);
  void know_no_step();
  // Whether the source should be on.
  bool are_wanted() const { return is_full_ || is_near_; }

  // Notes the source's state at `now`, or since an earlier `since`.
  void follow(State source, uint64_t since, uint64_t now);
  // Whether they were taken at `time`, as far as the latest changes are remembered.
  bool were_taken_at(uint64_t time) const;

  // Rows that the log lacks, taken one by one. False: there is none.
  bool take_row(log::DeviceTimes& row);

 private:
  struct Change {
    uint64_t time;
    int64_t step;  // that starts there; -1: none
    State state;
  };
  static constexpr uint32_t kMost = 64;
  static constexpr uint64_t kEdgeNs = 100'000;
  bool is_full(uint64_t number) const { return number < first_ || blocks_.is_full(number - first_); }
  uint64_t time_of(State state, uint64_t now) const;

  StepBlocks blocks_;
  uint64_t first_ = 0;
  uint64_t number_ = 0;
  bool has_number_ = false;
  bool is_full_ = true;
  bool is_near_ = false;
  bool is_between_ = false;
  bool has_started_step_ = false;  // since the last follow(), or the step before may still go on
  Change changes_[kMost] = {};
  uint32_t count_ = 0, written_ = 0;
};

}  // namespace tauprof::capture
