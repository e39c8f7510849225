// Why a device idles, and when it waits for input.
#pragma once

#include <cstddef>

#include "model/time.h"

namespace tauprof {

// --- idle devices (ledger) ------------------------------------------------------------------------------------------
// The recorder reads a thread's CPU clock after gaps and calls longer than this. Shorter gaps are any framework's
// launch overhead.
inline constexpr Nanoseconds kSeenStretch = 200'000;
// Time that a host needs after a blocking call to launch again. Any longer, and it does something of its own.
inline constexpr Nanoseconds kLaunchAgain = 200'000;
// Without CPU clocks: a running eager framework starts or ends an operator every few microseconds, so a thread without
// any such boundary for a millisecond does not run.
inline constexpr Nanoseconds kSilentStretch = 1'000'000;
// A thread was off the CPU in a stretch if it used less than this share of it.
inline constexpr double kOnCpu = 0.5;
// Of the time between two readings of a thread's CPU clock: a thread that used less than this share of it did not run
// throughout. Clocks of threads are charged late, by a tick of the scheduler.
inline constexpr double kRanThroughout = 0.9;
// A call with a stack counts as slow from this length on. It is the default of TAUPROF_STACK_MIN_US, for logs that do
// not say what the recorder was told.
inline constexpr Nanoseconds kDefaultSlow = 100'000;

// --- input ----------------------------------------------------------------------------------------------------------
// The last piece of a copy of pageable memory may be under way when its call returns: up to 1.6 % of copies of 9 MB on an
// H200, less of larger ones.
inline constexpr double kLastPieceOfCopy = 0.1;
// Waits for input are examined from this share of the step on, by convention: nobody tunes a loader for less …
inline constexpr double kNotableWait = 0.01;
// … and where there are enough of them for two groups: among fewer, one odd wait would be a group.
inline constexpr size_t kWaitsForPattern = 8;
// Long waits are a group of their own if they take this many times as long as short ones: a full prefetch buffer
// answers in microseconds, a worker decodes for milliseconds.
inline constexpr double kGroupsApart = 4;
// Long waits come evenly if this share of the distances between them is the same. By convention: a delay by chance adds
// a long wait, and so odd distances, but the regular ones prevail.
inline constexpr double kEvenWaits = 0.75;
// Short waits up to this part of the long ones: those batches came in time.
inline constexpr double kInTime = 0.05;
// The share of steps whose batches are as large as each other, from which on all calls of a model are taken to get as
// much.
inline constexpr double kSameBatches = 0.9;
// An epoch has more steps than a loader has workers; few loaders have more workers than this.
inline constexpr size_t kLeastEpoch = 24;

}  // namespace tauprof
