// A rank's steps, with their device windows (docs/metrics.md, "Notation").
//
// Window k runs from the first span that step k launched to the first that step k + 1 launched, both on the device's
// main stream: the one with the most compute. Work on other streams does not bound steps, because it runs ahead: if the
// host is two steps ahead, its input copies run two steps ahead, on a stream of their own. A step without work on the
// main stream starts with its first span, but not before the previous step. So windows tile the run and never go
// backwards. The first window starts with the step's first span on any stream; the last ends with the last span that a
// step launched, but not before the next step's first launch, if that step is known but excluded from analysis. Where
// it is known when steps start and end on the host, because something marks them, the first window starts then if that
// is earlier, and the last ends then if that is later.
//
// Example: step 0 starts on the host at 3, computes from 10 to 90, step 1 from 90 to 170, and step 1's input was copied
// on another stream from 12 to 15. On the host step 1 ends at 100. The windows are 3 to 90 and 90 to 170.
//
// A span belongs to the step that launched it. If the log has no launch of any span, it belongs to the step during
// which it starts.
//
// Where threads train side by side, their steps' work is interleaved: window k runs from the end of step k - 1's work
// to the end of step k's.
//
// A step counts for a rank if it launched work on the rank's device. If none of that work has device times, the calls
// say which steps did, and no step has a device window.
//
// While device times are missing (a gap of the scope device: another tool had CUPTI), nobody knows where a window
// starts or ends. Steps that were launched or ran then, in part, are left out. Example: steps 0 to 9 last 100 each, and
// there are no device times from 320 to 550. Without the gap, step 2 would seem to last until step 6 starts; steps 0, 1
// and 6 to 9 are known. Steps that the recorder left without device times (device_times.h) are left out alike.
#pragma once

#include <optional>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct StepWindow {
  uint32_t host_step = 0;          // index into ProcessTrace::steps
  std::optional<Interval> device;  // none: the device was not timed
  Nanoseconds ahead = 0;           // of the first: how long the host prepared it before its work began
  Nanoseconds behind = 0;          // of the last: how long the host went on after its work
};

// Whether the log has the launch of any work on the device.
bool are_launches_known(const DeviceTrace& device);

// How many steps launched work on the device and are none of `windows`, in a log with such gaps.
size_t steps_in_gaps(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows);

// Whether the call launches work, and on this device.
bool launches_on(const HostCall& call, const ProcessTrace& trace, const DeviceTrace& device);

std::vector<StepWindow> step_windows(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
