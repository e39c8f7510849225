// When the host is blocked behind the device: a call does not return until device work is done, and the device works.
//
// Such calls are synchronisations, copies that are done when they return, and launches that found the device's queue
// full. What such a call lasts beyond the device's work is the host's own.
//
// Example: the device works until 400 and from 500 on. A call that blocks from 100 to 450 is blocked for 300.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// Times that lie in any of some intervals.
class CoveredTime {
 public:
  CoveredTime() = default;
  explicit CoveredTime(std::vector<Interval> intervals);

  bool is_empty() const { return parts_.empty(); }
  // How much of the time from `start` to `end` is covered.
  Nanoseconds within(Nanoseconds start, Nanoseconds end) const {
    return start < end ? covered_until(end) - covered_until(start) : 0;
  }

 private:
  Nanoseconds covered_until(Nanoseconds time) const;

  std::vector<Interval> parts_;           // by start, apart from each other
  std::vector<Nanoseconds> before_part_;  // the length of all parts before each
};

class BlockedHost {
 public:
  explicit BlockedHost(const ProcessTrace& trace);

  // How much of the time from `start` to `end`, which the call was in progress, it was blocked.
  Nanoseconds within(const HostCall& call, Nanoseconds start, Nanoseconds end) const {
    return waits_for_device(call) ? busy_.within(start, end) : 0;
  }

 private:
  bool waits_for_device(const HostCall& call) const;
  bool is_queue_full(const HostCall& call) const;

  CoveredTime busy_;  // any device of the process
  // Of all launches whose work has device times; none unless some launch took long.
  std::vector<Nanoseconds> launches_, starts_;  // sorted: when they were called, and when the work started
};

}  // namespace tauprof
