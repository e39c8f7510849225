// Judges the times of a log, here and nowhere else: what cannot have happened is dropped and counted by its reason
// (RecordingQuality::impossible), before any stage sees it.
//
// 1. Times lie inside of the recording. The recorder says when it opened its log, a while after it started, and when it
//    ended. A trace of another tool does not: there, the stretch counts that holds nearly all times
//    (model/time_stretch.h). Device work of such a trace must also lie near what the host did: few spans before or
//    after all that the host recorded, across a silence that is longer than all of that, are outside.
// 2. Device work starts after its launch, less what clocks may be off: what two clocks are apart at first (kDeviceOff),
//    their drift over the recording, and as much as work usually waits on its stream, because a queue that is longer
//    than that hides how far the clocks are apart. If most work starts before its launch, the median says how far the
//    device's clock is behind the host's, and all is moved until the earliest of the others starts with its launch.
//
// Example: 90 kernels, of which 80 start 1 ms after their launch, one 40 us and nine 3 s before it. Clocks may be
// 100 us + 1 ms apart: the nine are dropped, and the one is kept. If all 90 start 3 s before their launch, they are
// moved by 3 s.
//
// An end before its start is nothing that the model could hold; claims.h and the importers see to it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class PossibleTimes {
 public:
  // `recorded`: when the log was opened and when it ended; kLatestTime if that is not known.
  PossibleTimes(ProcessTrace& trace, Interval recorded) : trace_(trace), recorded_(recorded) {}

  // Once all records are read, but nothing refers to calls by their position yet.
  void judge_host();
  // Once the spans are joined to their calls, but nothing refers to spans by their position. `correlations`: beside the
  // spans. Counts what is left: work without a launch, and work that starts a little before its own.
  void judge_device(DeviceTrace& device, std::vector<uint64_t>& correlations);

 private:
  bool is_inside(Nanoseconds start, Nanoseconds end) const { return start >= inside_.start && end <= inside_.end; }
  Interval stretch_of_recorder() const;
  Interval stretch_of_trace() const;
  template <class Record>
  void drop_outside(std::vector<Record>& records);
  std::vector<bool> far_from_host(const DeviceTrace& device) const;
  std::vector<bool> before_launch(DeviceTrace& device);
  void move(DeviceTrace& device, Nanoseconds by);
  Nanoseconds latency_of(const DeviceSpan& span) const;
  void drop(DeviceTrace& device, std::vector<uint64_t>& correlations, const std::vector<bool>& dropped,
            const char* reason);
  void count(const char* reason, uint64_t records);

  ProcessTrace& trace_;
  const Interval recorded_;
  Interval inside_;  // times outside are impossible
  Interval host_;    // from the first to the last time of the host; empty if it has none
};

}  // namespace tauprof
