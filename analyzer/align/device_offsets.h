// Devices of one host: how far the times of each are off against the others', from what collectives prove.
//
// Ranks of one host share its clock, and the driver converts each device's times to that clock, to within some
// microseconds. That error is assumed to be constant: one number x(r) for each rank, to be added to its times. A
// collective that member i ended at e(i) and member j started at s(j) proves e(i) + x(i) >= s(j) + x(j). So x(j) - x(i)
// is at most the least e(i) - s(j) of all their collectives, which is a distance from i to j. The shortest paths
// through these distances limit each x against the first rank's. A circle of negative length means that some record is
// wrong; then as few collectives as necessary are dropped, starting with those whose earliest end lies furthest before
// their latest start. Example, two devices and two all-reduces:
//
//               device 0      device 1
//   event 1     100 .. 160    180 .. 240     x(1) <= 160 - 180 = -20
//   event 2     300 .. 390    310 .. 400     x(1) >= 300 - 400 = -100
//
// So device 1 is ahead by 60, to within 40. Within these limits common ends choose: each device's times are moved by
// the median of what its ends lack, unless ends do not contradict them (simultaneous_ends.h). Beyond that, times are
// moved only as far as the limits demand: here, where ends are too close to tell, by -20.
#pragma once

#include <optional>
#include <vector>

#include "align/clock_evidence.h"

namespace tauprof {

struct DeviceOffset {
  Nanoseconds used = 0;  // added to the rank's times
  struct Limits {
    Nanoseconds middle = 0;  // half-way between the limits of what must be added
    Nanoseconds bound = 0;   // how far the truth can be from the middle
  };
  std::optional<Limits> limits;  // against the first rank of the host; none: nothing proves them
};

// One offset for each rank. `clock_of_rank`: the same number for ranks that share a clock.
std::vector<DeviceOffset> find_device_offsets(const std::vector<uint32_t>& clock_of_rank,
                                              const ClockEvidence& evidence);

}  // namespace tauprof
