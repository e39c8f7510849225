// Limits on the numbers in logs and other inputs, and on the cost of analysing large logs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/time.h"

namespace tauprof {

// --- claims of a log (read/claims.h) --------------------------------------------------------------------------------
// A rank's number and a job's size are believed up to here: no job has had as many devices.
inline constexpr int64_t kMostRanks = 1 << 18;
// Times are believed within these bounds, in ns: 2^62 is the year 2116, and the distance of two believed times fits
// into 64 bits.
inline constexpr int64_t kEarliestTime = -(int64_t{1} << 61);
inline constexpr int64_t kLatestTime = int64_t{1} << 62;
// What a thread has computed, or has been blocked for, in 36 years: sums of a few such times and of clocks fit.
inline constexpr int64_t kMostCpuTime = int64_t{1} << 60;
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
// Paths of a rank's program that are told apart (model/call_path.h); what lies deeper counts for the one around it. A
// program's functions, modules, operators and kernels make some thousands, whatever it runs for.
inline constexpr size_t kMostPaths = 1 << 17;
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

// --- files that are read as a whole ---------------------------------------------------------------------------------
// Rules are written by a person: the shipped ones have 10 KiB.
inline constexpr size_t kMostRuleBytes = 1 << 20;
// A report of a million steps has some 100 MB.
inline constexpr size_t kMostReportBytes = 256 << 20;

// --- cost of the analysis -------------------------------------------------------------------------------------------
// Recordings of one communicator without sequence numbers are tried against each other at this many shifts, because
// each try compares whole lists. Shifts that fit by time are tried beyond it.
inline constexpr int64_t kMostShifts = 1024;
// Blame spreads: after some collectives everyone has a little of everyone's. The largest shares stand for all, so that
// the cost of a collective does not grow with the square of its members. How many is by convention.
inline constexpr size_t kMostShares = 16;
// The typical spending of a pipeline's stage is the median of this many replicas. By convention.
inline constexpr size_t kMostReplicas = 1024;

}  // namespace tauprof
