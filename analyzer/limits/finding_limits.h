// Limits above which the report speaks: findings, the health checks and the verdict.
#pragma once

#include <cstddef>

namespace tauprof {

// --- findings -------------------------------------------------------------------------------------------------------
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
// A finding about a row is at a source line if that has this share of the row. By convention: of less, nobody would say
// that it is there.
inline constexpr double kAtALine = 0.1;
// A share that is not named is less than this: by convention, as it would be rounded to nothing much.
inline constexpr double kKnownShare = 0.01;
// A smaller share is printed as 0.0 %: as a number it says nothing.
inline constexpr double kPrintsAsNothing = 0.0005;
// A row that gives back less than this share of its time says that the rest would be waited for elsewhere. By
// convention.
inline constexpr double kGivesBack = 0.5;
// The cost, as a share of all ranks' time, that makes a finding a warning or critical, by convention: one step in
// twenty, or about one in seven.
inline constexpr double kWarningShare = 0.05;
inline constexpr double kCriticalShare = 0.15;

// --- memory ---------------------------------------------------------------------------------------------------------
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

// --- efficiency -----------------------------------------------------------------------------------------------------
// More of a device's peak than this is not used: the peak is another one, or the operations are not those of a step.
// Data sheets give the peak at the boost clock, which devices exceed by less (an H100 by 8 %).
inline constexpr double kMostOfPeak = 1.1;
// Bytes that are known to lie between two bounds that differ by no more than this share are known.
inline constexpr double kKnownBytes = 0.05;
// The counted operations agree with the formula for dense transformers if they differ by at most this share. The
// formula leaves out model-specific parts (pooling, gates, positions).
inline constexpr double kFormulaAgrees = 0.05;
// Backward passes are those of plain forward passes if at most this share of all operations seems repeated in them, or
// is neither repeated nor a gradient: gradients of gradients have much of both.
inline constexpr double kUnexplained = 0.01;

// --- health ---------------------------------------------------------------------------------------------------------
// Below this share of the peak, matrix multiplications leave most of the devices unused. Large language models are
// trained at 35 to 60 % (Megatron-LM: Narayanan et al. 2021; PaLM: Chowdhery et al. 2022); by convention, half of
// that and less is low.
inline constexpr double kLowUtilization = 0.2;

// --- verdict --------------------------------------------------------------------------------------------------------
// As docs/metrics.md defines it: a repair of ranks that gives this share of the step …
inline constexpr double kStragglerVerdict = 0.05;
// … any repair that is worth it …
inline constexpr double kWorthwhile = 0.03;
// … and devices that compute most of the time.
inline constexpr double kComputesMostly = 0.8;

}  // namespace tauprof
