// Limits of the replay, of logs and of operation traces.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/time.h"

namespace tauprof {

// --- replay of logs -------------------------------------------------------------------------------------------------
// A stream or the host notices the end of what it waits for within some 20 µs, on a busy host later.
inline constexpr Nanoseconds kEventNoticed = 50'000;
// An operation waited for the work that ended at least this much after everything else: longer than a launch takes.
inline constexpr Nanoseconds kClearlyLast = 10'000;
// A device that has the next kernel goes on to it within this time: after 0.9 to 2.2 us on an H200.
inline constexpr Nanoseconds kOwnPause = 2'000;
// A price that may be off by this share of the step is shown as an interval alone, and one by this much is none.
inline constexpr double kWidePrice = 0.03;
inline constexpr double kWidestPrice = 0.1;
// Waiting whose cause is not known is not worth a word where it is less than this leaves.
inline constexpr double kAllExplained = 0.995;
// Fewer steps do not tell what others save.
inline constexpr size_t kFewestSampledSteps = 3;
// So many names of waits whose source is assumed are listed.
inline constexpr size_t kMostAssumed = 3;
// A source explains the waits at a place if it does in this share of the steps, and is tested by so many of them.
inline constexpr double kNearlyAllWaits = 0.8;
inline constexpr size_t kFewestTestedWaits = 3;
// Or a single wait is tested where so small a part of it is as near to the end of any work as its own end.
inline constexpr double kMostChance = 0.01;
// So few of many like events, and one of so many, may be there by chance.
inline constexpr size_t kByChance = 4;
inline constexpr size_t kOneOfByChance = 1'000;
// A silence of a thread that is longer than a launch takes may be a wait for another thread …
inline constexpr Nanoseconds kTurnTaken = 200'000;
// … if that one worked for at least this share of it.
inline constexpr double kTurnWorked = 0.5;
// Training has a main thread, a thread of autograd for each device, and some loaders.
inline constexpr size_t kMostTurnThreads = 64;
// So many times more evenly a thread must go on after its own last call for no call of another to have woken it. Of so
// many of the other's first calls in a silence one may have.
inline constexpr Nanoseconds kClearlyMoreEven = 2;
inline constexpr size_t kMostWakingCalls = 256;
// A launch blocks once about a thousand launches are pending on its device. Half of that is enough to tell a full queue
// from a slow call.
inline constexpr uint64_t kQueueFull = 512;

// --- the undisturbed run (docs/metrics.md) ----------------------------------------------------------------------------
// A slowdown has an interval from so many pairs of full and light steps on …
inline constexpr size_t kFewestPairs = 8;
// … and is not known where that is wider than this share of a step.
inline constexpr double kWidestSlowdown = 0.05;
// A replay that is off by so little, in shares of light steps, is as near to them as the recorded steps are.
inline constexpr double kNearLightSteps = 0.01;
// A step was held up by its device if its launches took longer than elsewhere by this share of it.
inline constexpr double kHeldUp = 0.1;
// Light steps that are tried for one with the calls of a full step: programs have few kinds of steps.
inline constexpr size_t kMostPartners = 64;
// The source of device times makes a host up to 2.5 times as slow. What a known step asks beyond is another difference.
inline constexpr double kLeastHostFactor = 0.3;
// A recorded step that is within this share of the known one is as long.
inline constexpr double kSameStep = 0.005;
// It adds up to 0.65 us to the pause between two kernels (seen on an H200).
inline constexpr Nanoseconds kMostLagOfRecording = 1'000;

// The cost of a cause is not printed where replayed steps are off by more than this on average: the error would be as
// large as many causes.
inline constexpr double kMostReplayError = 0.03;
// Steps that cannot be known are left out of prices where so many others remain: how well a replay repeats steps takes
// two.
inline constexpr size_t kFewestKnownSteps = 2;

// A repair after which steps are longer by more than this share is no repair: its example has a trouble of its own.
// Less is what examples and the ranks that follow them differ by in healthy runs.
inline constexpr double kLongerStep = 0.01;
// An error of more than the step itself is no measure of anything: the steps are not of one kind.
inline constexpr double kNoReplay = 1;
// Peers that a rank is repaired after, in turns: enough that chance on one of them does not decide. By convention.
inline constexpr size_t kMostExamples = 4;
// A straggler is an echo of others if the replay finds less than this share of what it is blamed for to be its own. By
// convention: of an echo it finds next to nothing, of a straggler all of it.
inline constexpr double kOwnBlame = 0.5;
// Stragglers that are looked at for being echoes of others, those blamed for least first, and suspects, those with most
// first. Each takes a replay.
inline constexpr size_t kMostReplayed = 8;
// The operations of two ranks in a step are paired like lines of a file (alignment.h) if no more than this many differ:
// the search takes time and memory by the square of them, a second and 70 MB.
inline constexpr int64_t kMostDifferences = 4'096;
// Two repairs are of one cause if both together give less than this share of the smaller one on top of the larger.
inline constexpr double kOneCause = 0.1;
// A rank whose repair saves less than this share of the step holds up nobody by itself.
inline constexpr double kLeastSaving = 0.001;
// A kernel's time shows what communication beside it costs if at least this share of it was beside …
inline constexpr double kBesideCommunication = 0.3;
// … against times with at most this share.
inline constexpr double kAwayFromCommunication = 0.02;
// So many of either are needed to compare them, by convention; more than the other number tell nothing new.
inline constexpr size_t kFewKernels = 8;
inline constexpr size_t kMostSamples = 4096;
// The same kernel does the same work if half of its durations away from communication lie within this share.
inline constexpr double kSameWork = 0.15;
// Kernels are slower beside communication if they lose at least this share of their speed, and so many standard
// deviations, …
inline constexpr double kLeastContention = 0.01;
inline constexpr double kClearContention = 4;
// … and not more than communication may take of a device: what differs by more is not the same kernel.
inline constexpr double kMostContention = 0.7;
// A kernel's own loss counts, instead of that of all, if its standard deviation is at most this.
inline constexpr double kWellKnownContention = 0.02;
// Runs of more operations than this keep what contention cost them as measured: a replay would take over ten seconds.
inline constexpr size_t kMostContended = 16'000'000;
// Memory that the replay takes for an operation, in bytes: measured at 64 ranks with a million operations each.
inline constexpr uint64_t kMemoryPerOperation = 115;
// Ranks do the same work if they share this much of their kernels, by convention …
inline constexpr double kLikePeers = 0.5;
// … and almost as much as the rank that is most alike: stages of a pipeline differ, replicas do not.
inline constexpr double kLikeTheBest = 0.95;

// --- replay of operation traces: the values of the published analysis -----------------------------------------------
// Messages that were recorded this much after the last pass, or before the first, still belong to one, in seconds.
inline constexpr double kMessageTolerance = 5e-5;
// A difference of two times from here down is an error of the recording and counts as 0; small negative ones come from
// clocks, in seconds.
inline constexpr double kImpossibleDifference = -0.01;
// Smaller slowdowns are not divided among ranks, stages and operations.
inline constexpr double kLeastDivided = 1.03;
// M_W repairs so many percent of the ranks, rounded up.
inline constexpr size_t kWorstPercent = 3;
// A job's data-parallel ranks are not asked one by one for launch delays if that replays more operations than this: it
// takes a second or two.
inline constexpr double kMostReplayedOperations = 1e8;

}  // namespace tauprof
