// Devices of one host: what each one's times are off by against the others', from what collectives prove.
//
// Their ranks share the host's clock, and the driver brings each device's times onto it, to within some microseconds.
// Taken for steady, that rest is one number x(r) for each rank, to be added to its times. A collective that one member
// ended at e(i) and another began at s(j) proves e(i) + x(i) >= s(j) + x(j), so x(j) - x(i) is at most the least
// e(i) - s(j) of all their collectives: a distance from i to j. The shortest ways through these distances say between
// which limits each x lies against the first rank's; a circle of negative length says that some record is wrong, and as
// few collectives as that needs are dropped, those first whose earliest end lies furthest before their latest start.
// Example, two devices and two all-reduces:
//
//               device 0      device 1
//   event 1     100 .. 160    180 .. 240     x(1) <= 160 - 180 = -20
//   event 2     300 .. 390    310 .. 400     x(1) >= 300 - 400 = -100
//
// So device 1's times are ahead by 60 and that is right to 40. Times are moved no further than they must: by -20 here,
// and not at all where nothing contradicts that they are right.
#pragma once

#include <optional>
#include <vector>

#include "align/clock_evidence.h"

namespace tauprof {

struct DeviceOffset {
  Nanoseconds used = 0;  // is to be added to the rank's times
  struct Limits {
    Nanoseconds middle = 0;  // what is to be added, half-way between the limits
    Nanoseconds bound = 0;   // the truth is no further
  };
  std::optional<Limits> limits;  // against the first rank of the host; none: nothing proves them
};

// `clock_of_rank`: ranks that share a clock have the same. By rank.
std::vector<DeviceOffset> find_device_offsets(const std::vector<uint32_t>& clock_of_rank,
                                              const ClockEvidence& evidence);

}  // namespace tauprof
