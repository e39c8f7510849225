// The thresholds of the analysis, each with its reason. They are properties of hosts and devices,
// not of any workload.
#pragma once

#include "model/time.h"

namespace tauprof {

// The recorder reads a thread's CPU clock after gaps longer than this; shorter ones are launch
// overhead of any framework.
inline constexpr Nanoseconds kSeenStretch = 200'000;

// Without CPU clocks: eager frameworks begin or end an operator every few microseconds while they
// run, so a millisecond without any such boundary is a thread that does not run.
inline constexpr Nanoseconds kSilentStretch = 1'000'000;

// An analysed share of the step that no rule explains is a finding above this.
inline constexpr double kUnexplainedShare = 0.02;

// A step counts as warm-up while it takes longer than this multiple of the later steps' median …
inline constexpr double kWarmupFactor = 1.5;
// … and only where enough steps remain for that median to mean something.
inline constexpr size_t kWarmupMinimumSteps = 8;

// A straggler must cost at least this share of the ranks' time …
inline constexpr double kStragglerShare = 0.01;
// … and stand out: jitter alone makes every rank last now and then, with alike shares; a rank below
// this multiple of the others' median share is one of many, unless its share is large by itself.
inline constexpr double kStragglerOverOthers = 1.5;
inline constexpr double kStragglerLargeShare = 0.05;

// A collective that starts within this time of its launch call's return was not held up by work
// before it on the device: launch latencies are 5 to 30 µs, a busy device delays by far more.
inline constexpr Nanoseconds kDirectStart = 100'000;

// Members of an all-pairs collective end together: on real clusters within some 100 µs, or a third of
// the transfer where that is longer. Ends further apart than this belong to different groups, or to
// clocks that differ.
inline constexpr Nanoseconds kEndScatter = 200'000;
inline constexpr double kEndScatterOfTransfer = 0.5;

// Clocks of ranks are taken as one while at most this share of all-pairs collectives contradicts it
// (a member that ended before another had started), and ranks as one group while at most this share
// of theirs do not end together.
inline constexpr double kClockContradictionShare = 0.1;

}  // namespace tauprof
