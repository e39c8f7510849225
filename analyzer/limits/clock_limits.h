// How far clocks may disagree (align).
#pragma once

#include <cstddef>

#include "model/time.h"

namespace tauprof {

// How fast a clock may run against another. Crystals are within 100 ppm of true time, so two differ by twice that.
inline constexpr double kMostDrift = 200e-6;
// A clock's drift is taken as constant for this long; temperature changes it more slowly.
inline constexpr Nanoseconds kLongestSegment = 60'000'000'000;
// Fewer samples than this give an offset but no drift: a few scattered ends would tilt the line.
inline constexpr size_t kFewestForDrift = 8;
// Device times may be off their host's clock by this much: CUPTI brings them to within some 10 µs.
inline constexpr Nanoseconds kDeviceOff = 100'000;
// Ranks that share a clock are compared device by device up to this many; no host has more devices.
inline constexpr size_t kMostDevices = 64;

// By themselves, members of an all-pairs collective end it within a few microseconds of each other. What was recorded
// about a clock counts for more than ends that differ by less.
inline constexpr Nanoseconds kEndsApart = 5'000;
// Members of an all-pairs collective end together: on real clusters within some 100 µs, or within a third of the
// transfer where that is longer. Ends further apart belong to different groups, or to clocks that differ.
inline constexpr Nanoseconds kEndScatter = 200'000;
inline constexpr double kEndScatterOfTransfer = 0.5;
// Ranks are one group while at most this share of their collectives does not end together. Damaged records and odd
// devices account for less.
inline constexpr double kScatteredShare = 0.1;
// Ranks' clocks count as one while at most this share of all-pairs collectives contradicts it (a member ended before
// another had started), for the same reason.
inline constexpr double kClockContradictionShare = 0.1;

// NCCL's times of a kernel's channels count if they span the recorded kernel, and the members agree on the time after
// they met, but for the time to launch and retire blocks, …
inline constexpr Nanoseconds kReportedLengthSlack = 20'000;
// … and this share of it: the timer of some devices ticks once in a microsecond, and drifts.
inline constexpr double kReportedLengthShare = 0.05;

// Communicators that do not end together are left out this many times, each time with better guesses at the clocks. By
// convention: the communicators left out first distort the guesses most.
inline constexpr int kMostScatterRounds = 64;

}  // namespace tauprof
