// When recording is on: TAUPROF_START_AFTER, TAUPROF_DURATION and TAUPROF_CAPTURE_RANGE together. Any
// thread may open and close it; what lay outside becomes gap records.
#pragma once

#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/steps/step_window.h"
#include "capture/ticks.h"
#include "log/writer.h"

namespace tauprof::capture {

class RecordWindow {
 public:
  // Decides what is recorded from now on.
  void begin(const Configuration& configuration, uint64_t now);
  // cudaProfilerStart and Stop, or the named range; without effect where it is not what opens the window.
  void open_range(CaptureRange kind, uint64_t now);
  void close_range(CaptureRange kind, uint64_t now);
  bool is_range(const char* name, uint32_t size) const;

  // A launch or a call that blocks is about to be made, which may begin a step; `function` is called. Any thread; only
  // while steps are followed.
  void follow_launch(const LaunchFacts& facts, const char* function);
  // The thread's last followed call has returned.
  void launch_returned(uint64_t ticks);
  // A range begins, or a mark is set, which may mark a step. Any thread.
  void follow_range(const char* name, uint32_t size);
  // Whether device work without a recorded launch lies outside the window: all launches inside are recorded.
  bool is_exact() const { return is_exact_; }
  // Whether what was launched then lies outside, as far as the last gaps are remembered.
  bool was_closed_at(uint64_t time);

  // The writer thread, every cycle: what depends on the clock, the search for steps, and the rows of closed gaps and of
  // begun steps.
  void follow_clock(uint64_t now);
  void find_steps(log::Writer& writer, const TickScale& scale);
  void write_gaps(log::Writer& writer);
  // At the end, before the log is closed.
  void write_last_steps(log::Writer& writer, const TickScale& scale);
  // Nothing is recorded from now on; an open gap ends here.
  void end(uint64_t now);

 private:
  void decide_at_step(uint64_t now);
  static constexpr uint32_t kMostWaiting = 64;
  struct Gap {
    uint64_t start, end;
    const char* reason;
  };
  void decide(uint64_t now);
  void set_open(bool is_open, uint64_t now);
  void publish(bool is_open);

  Configuration configuration_;
  uint64_t began_ = 0;   // the session
  uint64_t opened_ = 0;  // the first time; 0: not yet
  uint64_t closed_ = 0;  // since when it is closed; 0: it is open
  bool in_range_ = false;
  bool is_exact_ = false;
  // After a step window, device work that was launched inside it is still waited for.
  static constexpr uint64_t kDrain = 2'000'000'000;
  bool is_draining_ = false;
  // Before a step window, device records are switched on a step ahead: that takes CUPTI milliseconds.
  bool is_ready_ = false;
  StepWindow steps_;
  bool has_begun_ = false;  // the writer thread runs some time before
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
