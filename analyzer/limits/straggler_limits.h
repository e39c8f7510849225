// Who holds up the others, for a while or for good.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/time.h"

namespace tauprof {

// --- stragglers -----------------------------------------------------------------------------------------------------
// A straggler costs at least this share of the ranks' time, by convention: 3 % of every third step are twice as much …
inline constexpr double kStragglerShare = 0.005;
// … and it stands out: jitter makes every rank last now and then. Chance would blame somebody for as much in at most
// this share of runs (more_than_chance.h) …
inline constexpr double kFalseAlarms = 0.01;
// … where blame varies from step to step by a tenth of its mean at least (one over the root of this) …
inline constexpr double kMostShape = 100;
// … unless there is a single step, which tells nothing of chance, and its share is worth a warning (kWarningShare).
inline constexpr double kStragglerLargeShare = 0.05;
// Two rules from the literature, with its values, stand beside these in the report: work time over this multiple of the
// mean …
inline constexpr double kRuleOverMean = 1.1;
// … and more than this many standard deviations above the mean, which cannot happen with kRuleRanks ranks or fewer: one
// of n values lies at most √(n − 1) deviations above.
inline constexpr double kRuleDeviations = 2;
inline constexpr size_t kRuleRanks = 5;

// A collective that starts this soon after its launch call returned was not held up by earlier work on the device:
// launch latencies are 5 to 30 µs, a busy device delays by far more.
inline constexpr Nanoseconds kDirectStart = 100'000;
// A stage of a pipeline holds up the others if it spends more than the typical stage on a row of the ledger, by over
// this multiple less one of all that the typical stage spends itself. By convention: stages are whole layers, which
// never divide quite evenly …
inline constexpr double kLoadedStage = 1.05;
// … If that row is computing, it has more to compute if it also runs this many times the kernels, the matrix
// multiplications' operations or the threads; else it is slower. Data-parallel peers' batches are equal to the last
// element or differ by far more.
inline constexpr double kMoreWork = 1.02;
// A rank has more work than its peers if it has this much more over the run: in the middle of it, edges of what was
// recorded make up less.
inline constexpr double kMoreOfRun = 1.002;
// The same work takes longer from this multiple on: devices of one kind differ by as much among themselves.
inline constexpr double kLonger = 1.02;
// A device is slower than others by what its kernels take longer, but for this share of its time, by convention: some
// kernels have less to do where another stage calls them.
inline constexpr double kOddKernels = 0.1;
// A rank that copies this many times its peers' bytes copies for longer because of that. By convention: peers' batches
// hardly differ in size, and a checkpoint is many times a batch.
inline constexpr double kMoreBytes = 1.1;
// A communicator whose transfers take this many times those of others of its kind has a slow link. By convention: a
// link that falls back to fewer lanes or a lower rate loses half its bandwidth …
inline constexpr double kSlowTransfer = 1.25;
// … which fewer transfers than this do not tell: among them, a single disturbed one decides.
inline constexpr uint64_t kFewestTransfers = 4;
// A device whose clock is below this share of its peers' median is throttled. Boost clocks of healthy devices differ by
// less.
inline constexpr double kThrottledClock = 0.95;
// Readings that differ by less than this share of their mean are noise of the sensor: clocks change in steps of 15 MHz.
inline constexpr double kSteadySensor = 0.01;

// --- hangs ----------------------------------------------------------------------------------------------------------
// A rank is silent if its log's newest time is older than others' by more: the recorder writes a sign of life every
// second, so two are missing.
inline constexpr Nanoseconds kSilence = 2'500'000'000;
// A job is stuck if somebody waits in an operation for longer than the longest step took, and than this: before the
// first step nothing else is known of the job, and short steps vary.
inline constexpr Nanoseconds kStuck = 2'000'000'000;
// Whoever is alive may still come; PyTorch aborts a job in which a collective has taken that long (the default timeout
// of its NCCL process groups).
inline constexpr Nanoseconds kGivenUp = 600'000'000'000;

}  // namespace tauprof
