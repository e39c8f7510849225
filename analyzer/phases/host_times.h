// The host's time in a step, by phase.
#pragma once

#include <vector>

#include "model/phase.h"
#include "model/process_trace.h"
#include "model/time.h"

namespace tauprof {

struct HostTimes {
  PerPhase<Nanoseconds> total{};
  PerPhase<Nanoseconds> blocked{};  // the part of it in which it was blocked behind the device (blocked_host.h)

  void add(Phase phase, Nanoseconds time, Nanoseconds blocked_time) {
    total[static_cast<size_t>(phase)] += time;
    blocked[static_cast<size_t>(phase)] += blocked_time;
  }
};

// Adds the host's time to the phases of a step, moving forward, and keeps the slices of which the sums consist where
// somebody asks for them.

class PhaseShare {
 public:
  // `slices`: null: nobody asks.
  explicit PhaseShare(std::vector<PhaseSlice>* slices) : slices_(slices) {}

  // The sums of the step that starts now. Slices of two steps are never one.
  void start_step(HostTimes& sums) {
    sums_ = &sums;
    is_first_ = true;
  }

  // `blocked`: how much of it the host was blocked behind the device.
  void add(Nanoseconds start, Nanoseconds end, Phase phase, Nanoseconds blocked) {
    if (start >= end) return;
    sums_->add(phase, end - start, blocked);
    if (slices_ == nullptr) return;
    if (!is_first_ && slices_->back().phase == phase && slices_->back().end == start)
      slices_->back().end = end;
    else
      slices_->push_back({start, end, phase});
    is_first_ = false;
  }

 private:
  std::vector<PhaseSlice>* const slices_;
  HostTimes* sums_ = nullptr;
  bool is_first_ = true;
};

}  // namespace tauprof
