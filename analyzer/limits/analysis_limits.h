// Every limit of the analysis, with its reason. Limits describe hosts, devices and people's patience, not any workload.
// "By convention" means that some limit is needed and that values nearby would serve as well.
//
// The limits of the search for steps stand with it, in analyzer/step_search/step_search_limits.h. Two limits shape the
// model and stand there: kSliceLength (model/time.h) and kLeadingSteps (model/rank_timeline.h). Sizes of buffers and
// tolerances of arithmetic stand where they are used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/time.h"

namespace tauprof {

// --- what a log may claim (read/claims.h) ---------------------------------------------------------------------------
// A rank's number and a job's size are believed up to here: no job has had as many devices.
inline constexpr int64_t kMostRanks = 1 << 18;
// Times are believed within these bounds, in ns: 2^62 is the year 2116, and the distance of two believed times fits
// into 64 bits.
inline constexpr int64_t kEarliestTime = -(int64_t{1} << 61);
inline constexpr int64_t kLatestTime = int64_t{1} << 62;
// Times of an operation trace are believed up to here, in seconds: some 30,000 years, and nothing overflows.
inline constexpr double kMostTraceSeconds = 1e12;
// Sizes of device memory are believed up to here, in bytes: a thousand times what a device has, and sums of some
// thousands do not overflow.
inline constexpr int64_t kMostMemory = int64_t{1} << 48;
// Pipeline stages are believed up to here: every one of them holds at least a layer and a device, and each is a replay.
inline constexpr int64_t kMostStages = 256;
// Model chunks are believed up to here: no model has had as many layers.
inline constexpr int64_t kMostModelChunks = 1 << 20;
// Calls inside calls are followed this deep: a library's call contains some of the runtime's and of the driver's.
inline constexpr size_t kDeepestCalls = 64;
// Stacks that continue in their callers are followed this deep: the recorder keeps 64 frames.
inline constexpr unsigned kDeepestStack = 256;
// Collectives that run on a device at the same time, of which each holds some of its processors; further ones count as
// communication but are not told apart.
inline constexpr size_t kMostAtOnce = 64;
// Bytes of a text that is kept with each of its uses (the reason of a gap, a communicator's name), by convention:
// a log holds a text once and may refer to it from every row.
inline constexpr size_t kLongestLabel = 128;
// Gaps of one log that are kept, and of one run that a report lists. Recording that is switched on and off for each
// step leaves some tens of thousands.
inline constexpr size_t kMostGaps = 100'000;
// Where no call starts for this long, slices of time need no bounds.
inline constexpr Nanoseconds kLongestSilence = 600'000'000'000;

// A process without a rank that did less than this share of the busiest one's work is a helper. By convention: ranks of
// one job share its work, a helper launches a few kernels.
inline constexpr double kHelpersWork = 0.05;

// --- clocks (align) ------------------------------------------------------------------------------------------------
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

// Communicators that do not end together are left out this many times, each time with better guesses at the clocks. By
// convention: what the first rounds leave out distorts the guesses most.
inline constexpr int kMostScatterRounds = 64;

// --- steps ---------------------------------------------------------------------------------------------------------
// A step is warm-up while it takes longer than this multiple of the later steps' median: compiling, autotuning and
// filling caches cost more than steps vary …
inline constexpr double kWarmupFactor = 1.5;
// … and only where enough steps remain for that median to mean something.
inline constexpr size_t kWarmupMinimumSteps = 8;
// A step is odd from this multiple of the others' median on, as in warm-up, and …
inline constexpr double kOddStep = 1.5;
// … steps have changed if their medians before and after differ by this multiple. By convention: batches and clocks
// make less of a difference …
inline constexpr double kChangedStep = 1.1;
// … and if there are this many steps on either side: of three, the median ignores one.
inline constexpr size_t kFewestOfLevel = 3;
// Ranks agree on their steps if this share of the collectives that they have in common lies in the same step of both.
// Ranks that run behind carry out the others in the next step's window.
inline constexpr double kAgreeingCollectives = 0.75;
// Steps of programs whose updates are compiled, so that PyTorch does not say when they happen. Whoever accumulates
// gradients clears them once per step all the same, but a program that never clears them may make several passes.
inline constexpr double kHiddenByClearing = 0.9;
inline constexpr double kHiddenByForward = 0.7;
// Below this confidence a report says that its steps are not certain: more speaks against them than for them.
inline constexpr double kUnsureSteps = 0.5;
// Steps that were found among launches whose kernels have no names are at most this sure: less than kUnsureSteps. Only
// names tell an update from a pass, and so a step from a micro-batch.
inline constexpr double kMostSureWithoutNames = 0.45;
// Markers of steps follow each other; those that overlap are something else. But a trace rounds starts and lengths,
// each by itself, at worst to a microsecond: older ones count microseconds since 1970 in floating point.
inline constexpr Nanoseconds kRoundedTime = 1'000;
// The bounds of a gap and the times of calls come from different readings of the clock, which may lie this far apart:
// between them the recorder follows one launch, which takes a few microseconds.
inline constexpr Nanoseconds kClockReading = 20'000;

// --- phases --------------------------------------------------------------------------------------------------------
// Waking a thread takes some 50 µs on an idle host. A wait shorter than this is no more than waking and clock error.
inline constexpr Nanoseconds kWaking = 100'000;

// --- idle devices (ledger) -----------------------------------------------------------------------------------------
// The recorder reads a thread's CPU clock after gaps longer than this. Shorter ones are any framework's launch
// overhead.
inline constexpr Nanoseconds kSeenStretch = 200'000;
// What a host needs after a blocking call to launch again. Longer, and it does something of its own.
inline constexpr Nanoseconds kLaunchAgain = 200'000;
// Without CPU clocks: a running eager framework starts or ends an operator every few microseconds, so a thread without
// any such boundary for a millisecond does not run.
inline constexpr Nanoseconds kSilentStretch = 1'000'000;
// A call with a stack counts as slow from this length on. It is the default of TAUPROF_STACK_MIN_US, for logs that do
// not say what the recorder was told.
inline constexpr Nanoseconds kDefaultSlow = 100'000;

// --- input ---------------------------------------------------------------------------------------------------------
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
// An epoch has more steps than a loader has workers; few loaders have more workers than this.
inline constexpr size_t kLeastEpoch = 24;

// --- stragglers ----------------------------------------------------------------------------------------------------
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
// A host is contended if its threads' wait for a CPU, beyond their peers' median, makes up this share of its stall:
// half of it, so that no other cause is larger.
inline constexpr double kContendedShare = 0.5;

// --- latency and bandwidth of links ----------------------------------------------------------------------------------
// A line through fewer sizes is not tried: it has two terms, and two more sizes are needed to contradict it …
inline constexpr size_t kFewestSizes = 4;
// … nor where the largest size is less than this multiple of the smallest: three doublings. Within less, a bend of the
// curve looks the same as a latency.
inline constexpr double kLeastSpread = 8;
// Times near sizes that do not spread are told by a line through this many: two terms, and one that can contradict it.
inline constexpr size_t kFewestNearby = 3;
// NCCL has three protocols (LL, LL128, Simple), so that sizes fall into three pieces at most.
inline constexpr size_t kMostPieces = 3;
// Another piece must lower the criterion (protocol_pieces.h) by this much: a likelihood ratio of e^5 or 150, "very
// strong evidence" in Kass and Raftery's words (Bayes Factors, 1995).
inline constexpr double kWorthAPiece = 10;
// Relative errors of transfers below this are not looked into, and no line is taken to be known better: time stamps of
// short kernels are as coarse.
inline constexpr double kTransferNoise = 0.01;
// Points that lie off the line can be told among this many: of fewer, too few would be left to say which are right.
inline constexpr size_t kFewestForOutliers = 8;
// The latency, the bandwidth or a predicted time is known if its standard error is at most this share of it. By
// convention: then it is right to a fifth, nearly always.
inline constexpr double kLargestTermError = 0.1;
// Sizes are told apart up to this many; more are put together with their neighbours, in steps of one ratio. A job that
// exchanges whatever a batch holds has a size for each call.
inline constexpr size_t kMostSizes = 64;
// A time is predicted for sizes up to this multiple of what was seen, or down to its inverse. By convention: further
// away another protocol or algorithm is likely.
inline constexpr double kFarthestSize = 4;
// Latencies agree with a number of steps if they lie within this share of latency per step times steps: links of one
// kind differ by as much, while ring and tree differ by half from 2 ranks to 4.
inline constexpr double kSameStepLatency = 0.1;

// --- how ranks share the work (parallelism.h) ------------------------------------------------------------------------
// Layers that are split reduce as much in the forward pass as in the backward pass, or half as much where the forward
// pass is computed again. Normalisation over all ranks reduces some numbers per channel. Between them by convention.
inline constexpr double kTensorForward = 0.25;
// A sharded optimizer gathers as many weights as it reduced gradients, or half the bytes where those are in FP32.
// Statistics that are gathered are some numbers. By convention between them.
inline constexpr double kGatheredUpdate = 0.25;

// --- hangs ---------------------------------------------------------------------------------------------------------
// A rank is silent if its log's newest time is older than others' by more: the recorder writes a sign of life every
// second, so two are missing.
inline constexpr Nanoseconds kSilence = 2'500'000'000;
// An operation in which somebody waits for longer is reported as one that hangs. Collectives of jobs that go on take
// far less.
inline constexpr Nanoseconds kStuck = 2'000'000'000;

// --- replay --------------------------------------------------------------------------------------------------------
// A stream or the host notices the end of what it waits for within some 20 µs, on a busy host later.
inline constexpr Nanoseconds kEventNoticed = 50'000;
// What ended this much after everything else is what an operation waited for: longer than a launch takes.
inline constexpr Nanoseconds kClearlyLast = 10'000;
// A silence of a thread that is longer than a launch takes may be a wait for another thread …
inline constexpr Nanoseconds kTurnTaken = 200'000;
// … if that one worked for at least this share of it.
inline constexpr double kTurnWorked = 0.5;
// A launch blocks once about a thousand launches are pending on its device. Half of that is enough to tell a full queue
// from a slow call.
inline constexpr uint64_t kQueueFull = 512;

// What a cause costs is not printed where replayed steps are off by more than this on average: the error would be as
// large as many causes.
inline constexpr double kMostReplayError = 0.03;
// Peers that a rank is repaired after, in turns: enough that chance on one of them does not decide. By convention.
inline constexpr size_t kMostExamples = 4;
// A straggler is an echo of others if the replay finds less than this share of what it is blamed for to be its own. By
// convention: of an echo it finds next to nothing, of a straggler all of it.
inline constexpr double kOwnBlame = 0.5;
// Stragglers that are looked at for being echoes of others, those blamed for least first, and suspects, those with most
// first. Each takes a replay.
inline constexpr size_t kMostReplayed = 8;
// What two ranks do in a step is paired like lines of a file (alignment.h) if it differs by no more operations than
// this: the search takes time and memory by the square of them, a second and 70 MB.
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

// --- findings ------------------------------------------------------------------------------------------------------
// The shares are by convention; their order has reasons. A row of the ledger is a finding from this share of the step
// on, if it can be avoided altogether (waits for input, blocking calls, stalls, exposed copies) …
inline constexpr double kAvoidableShare = 0.03;
// … and from this larger one if every job has a little of it (launching, communication, dependencies).
inline constexpr double kInherentShare = 0.05;
// Work of no class is a gap in the kernel rules, and worth hearing about early …
inline constexpr double kUnclassifiedShare = 0.01;
// … and so is idle time that no rule explains, although some always remains at the edges of what was recorded.
inline constexpr double kUnexplainedShare = 0.02;
// A finding names the ranks or steps that have this share of a row's time. The remainder is what every step has; with a
// smaller share, what the others lose would be left out.
inline constexpr double kConcentrated = 0.8;
// Waiting for each other is no finding of its own where stragglers cause this share of it. By convention: what remains
// is chance, and nobody's.
inline constexpr double kExplainedWaits = 0.8;
// What a finding costs, as a share of all ranks' time, makes it a warning or critical, by convention: one step in
// twenty, or about one in seven.
inline constexpr double kWarningShare = 0.05;
inline constexpr double kCriticalShare = 0.15;

// --- memory --------------------------------------------------------------------------------------------------------
// Memory grows if it is more after most steps of the second half than before, by this many bytes per step on average.
// By convention: an allocator's smallest block (2 MiB for PyTorch) every other step …
inline constexpr double kLeastGrowth = 1 << 20;
// … and steps from this many on: of their second half, three differences are left.
inline constexpr size_t kFewestForGrowth = 6;
// Growth is told from this many steps, evenly chosen: each is compared with each.
inline constexpr size_t kMostGrowthSteps = 256;
// In most steps: in this share of them.
inline constexpr double kGrowingSteps = 0.5;
// From this share of a device's memory on, by convention, a longer sequence or a fragmented allocator has no room.
inline constexpr double kMemoryPressure = 0.9;
// Links are slow if transfers reach less than this share of their peak. By convention: NCCL reaches three quarters and
// more where nothing is wrong, and kernels that compute meanwhile take some of it …
inline constexpr double kSlowLinks = 0.5;
// … of transfers from this size on. In smaller ones the latency counts, which says nothing of the links.
inline constexpr int64_t kLargeTransfer = int64_t{16} << 20;

// --- health --------------------------------------------------------------------------------------------------------
// Below this share of the peak, matrix multiplications leave most of the devices unused. Large language models are
// trained at 35 to 60 % (Megatron-LM: Narayanan et al. 2021; PaLM: Chowdhery et al. 2022); by convention, half of
// that and less is low.
inline constexpr double kLowUtilization = 0.2;

// --- comparing runs ------------------------------------------------------------------------------------------------
// How sure an interval is, and below which p a difference is one (1 − kConfidence), by convention.
inline constexpr double kConfidence = 0.95;
// A difference "would have been seen" if it is found this often.
inline constexpr double kDetection = 0.95;
// One run of each side is judged from this many steps on. With fewer, their autocorrelation cannot be told from chance:
// with half of the noise handed on from step to step, 6 % of equal runs of 20 steps seem to differ, of 10 steps 9 % …
inline constexpr size_t kFewestStepsToJudge = 20;
// … and several runs of each are resampled from this many on. Of fewer there are too few different samples for an
// interval's ends.
inline constexpr size_t kFewestRunsToResample = 5;
// What cannot be kept step by step (kernels by name) is kept for this many stretches of the run, enough to see how it
// varies along it.
inline constexpr size_t kMostStretches = 32;

// --- verdict -------------------------------------------------------------------------------------------------------
// As docs/metrics.md defines it: a repair of ranks that gives this share of the step …
inline constexpr double kStragglerVerdict = 0.05;
// … any repair that is worth it …
inline constexpr double kWorthwhile = 0.03;
// … and devices that compute most of the time.
inline constexpr double kComputesMostly = 0.8;

// --- replay of operation traces: the values of the published analysis ----------------------------------------------
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

// --- cost of the analysis ------------------------------------------------------------------------------------------
// Recordings of one communicator without sequence numbers are tried against each other at this many shifts, because
// each try compares whole lists. Shifts that fit by time are tried beyond it.
inline constexpr int64_t kMostShifts = 1024;
// Blame spreads: after some collectives everyone has a little of everyone's. The largest shares stand for all, so that
// the cost of a collective does not grow with the square of its members. How many is by convention.
inline constexpr size_t kMostShares = 16;
// What is typical for a stage of a pipeline is the median of this many replicas. How many is by convention.
inline constexpr size_t kMostReplicas = 1024;

// --- the HTML page: what a browser draws at once and a message carries; the numbers are by convention
// ----------------- The timeline has this many ranks, those that findings name first …
inline constexpr size_t kMostShownRanks = 128;
// … and this many steps, and rows of streams in each rank.
inline constexpr size_t kMostShownSteps = 6;
inline constexpr size_t kMostShownStreams = 16;
// Spans of all of them; short ones are merged until they are as few. 400 000 take 4 MB of the page.
inline constexpr size_t kMostShownSpans = 400'000;
// Waits with an arrow, in each step; the longest.
inline constexpr size_t kMostShownWaits = 4000;
// Text of all names, and of one; longer names are cut.
inline constexpr size_t kMostShownText = 2u << 20;
inline constexpr size_t kLongestShownName = 400;
// Ranks of the table of waiting caused, those that caused most, and ranks times steps.
inline constexpr size_t kMostCausingRanks = 128;
inline constexpr size_t kMostShownCells = 1'000'000;

}  // namespace tauprof
