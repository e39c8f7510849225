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

// A device whose clock is below this share of its peers' median is throttled …
inline constexpr double kThrottledClock = 0.95;
// … and a host is contended whose threads waited for a CPU for this share of its lateness more than its peers' median.
inline constexpr double kContendedShare = 0.5;

// A communicator whose transfers take this much longer than others' of its kind has a slow link.
inline constexpr double kSlowTransfer = 1.25;

// A stage of a pipeline that computes so many times what the typical one does holds up the others …
inline constexpr double kLoadedStage = 1.05;
// … because it has more to compute, if it also runs so many times the kernels, the operations of matrix multiplications
// or the threads; else it is slower. Data-parallel peers' batches are alike to the last element, or differ by far more.
inline constexpr double kMoreWork = 1.02;

// A rank that copies so many times the bytes that its peers do copies for longer because of that.
inline constexpr double kMoreBytes = 1.1;

// A collective that starts within this time of its launch call's return was not held up by work
// before it on the device: launch latencies are 5 to 30 µs, a busy device delays by far more.
inline constexpr Nanoseconds kDirectStart = 100'000;

// Clocks of ranks are taken as one while at most this share of all-pairs collectives contradicts it
// (a member that ended before another had started).
inline constexpr double kClockContradictionShare = 0.1;

// Ranks cut their steps alike if so many of the collectives that they share lie in the same steps of both. The rest are
// those that a rank carries out in the next step's window, because it runs behind.
inline constexpr double kAgreeingCollectives = 0.75;
// Below this confidence a report says that its steps are not sure.
inline constexpr double kUnsureSteps = 0.5;

// Waits for input are looked at closer from this share of the step on: less costs nobody anything …
inline constexpr double kNotableWait = 0.01;
// … and where there are enough of them to fall into groups.
inline constexpr size_t kWaitsForPattern = 8;
// Two groups of waits are two if the long ones take so many times as long: a full prefetch buffer answers in
// microseconds, a worker decodes for milliseconds.
inline constexpr double kGroupsApart = 4;
// Long waits come evenly if so many of their distances are the same.
inline constexpr double kEvenWaits = 0.75;
// An epoch has more steps than a loader has workers; few loaders have more than this.
inline constexpr size_t kLeastEpoch = 24;

}  // namespace tauprof
