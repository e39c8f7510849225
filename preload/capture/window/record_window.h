// When recording is on, and when device times are taken: TAUPROF_START_AFTER, TAUPROF_DURATION, TAUPROF_CAPTURE_RANGE
// and the wanted steps (wanted_steps.h) together, and the steps that have device times (timed_steps.h). Any thread may
// open and close the window. Times outside become gap records.
#pragma once

#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/window/timed_steps.h"
#include "capture/window/wanted_steps.h"
#include "log/writer.h"

namespace tauprof::capture {

class RecordWindow {
 public:
  // From now on the window decides what is recorded. `is_asked`: whether PyTorch is there and will be asked for steps.
  void start(const Configuration& configuration, bool is_asked, uint64_t now);
  // cudaProfilerStart and Stop, or the named range. No effect unless the window depends on this kind of range.
  void open_range(CaptureRange kind, uint64_t now);
  void close_range(CaptureRange kind, uint64_t now);
  bool is_range(const char* name, uint32_t size) const;

  // The thread is about to call `function`; a step may start with it. Any thread; only while calls are followed.
  // Returns what is to be recorded from this call on.
  uint32_t follow_call(const char* function);
  // A range starts, or a mark is set; either may mark a step. Any thread.
  void follow_range(const char* name, uint32_t size);
  // PyTorch's events (framework/torch_marks.h), before they are recorded. Any thread.
  void optimizer_is_made(uint32_t optimizer);
  void update_ends(uint32_t optimizer);
  void pass_starts(Pass pass);
  void forward_ends();
  void gradients_are_cleared();
  // Whether the log should have the number of the thread's step, now that the pass has started, and which it is.
  bool wants_number(Pass pass, uint64_t& number);
  // PyTorch cannot be asked after all.
  void give_up_framework();
  // Whether steps are wanted that nobody counts: all is recorded, and the oldest is what is wanted.
  bool keeps_oldest();
  // True if every launch inside the window is recorded; device work with no recorded launch is then from outside it.
  bool is_exact() const { return is_exact_; }
  // Whether the window was closed at `time`, as far as the latest gaps are remembered.
  bool was_closed_at(uint64_t time);

  // Whether only some steps have device times, and whether a launch at `time` has.
  bool has_light_steps() const { return timed_.may_be_light(); }
  bool were_device_times_taken_at(uint64_t time);

  // Calls of that time are missing.
  void has_missed(uint64_t start, uint64_t end, const char* reason);

  // Called every cycle by the writer thread: apply time limits, write gap rows.
  void follow_clock(uint64_t now);
  void write_gaps(log::Writer& writer);
  void write_device_times(log::Writer& writer);
  // Stops recording. An open gap ends here.
  void end(uint64_t now);

 private:
  struct DecidingLock;
  template <class Change>
  void take_from_framework(Change change);
  static constexpr uint32_t kMostWaiting = 64;
  struct Gap {
    uint64_t start, end;
    const char* reason;
  };
  void decide(uint64_t now);
  void say_what_is_uncounted() const;
  void set_open(bool is_open, uint64_t now);
  void decide_device_times(bool is_open, uint64_t now);
  void publish(bool is_open);
  void add_gap(const Gap& gap);

  // Of the configuration, which is large.
  CaptureWindow capture_range_;
  uint64_t start_after_ns_ = 0;
  uint64_t duration_ns_ = 0;
  uint64_t start_step_ = 0;
  uint32_t categories_ = 0;
  uint64_t started_ = 0;  // when the session started
  uint64_t opened_ = 0;   // when the window opened first; 0: not yet
  uint64_t closed_ = 0;   // when it closed last; 0: it is open
  bool in_range_ = false;
  bool is_exact_ = false;
  // Device records are switched on a step before the wanted steps, because that takes CUPTI milliseconds.
  bool is_ready_ = false;
  bool are_records_wanted_ = false;
  bool has_wished_ = false;
  WantedSteps steps_;
  TimedSteps timed_;
  bool has_started_ = false;  // the writer thread runs earlier
  bool has_ended_ = false;
  uint32_t lock_ = 0;
  uint32_t waiting_ = 0;
  Gap gaps_[kMostWaiting] = {};
  static constexpr uint32_t kMostPast = 16;
  struct Closed {
    uint64_t start, end;
  };
  Closed past_[kMostPast] = {};
  uint32_t past_count_ = 0;
};

extern RecordWindow record_window;

}  // namespace tauprof::capture
