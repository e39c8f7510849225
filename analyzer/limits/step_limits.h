// Limits for finding steps, and for judging whether ranks and steps are alike.
#pragma once

#include <cstddef>

#include "model/time.h"

namespace tauprof {

// --- steps ----------------------------------------------------------------------------------------------------------
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
// … of which at most this share is nearer to the other level. By convention: one step in ten may be an outlier.
inline constexpr double kMostAstray = 0.1;
// More odd steps than this share are another kind of step, not outliers. By convention: two of three are usual.
inline constexpr double kMostOdd = 1.0 / 3;
// A row explains why steps became longer if it grew by this share of that, on some rank. Below, ranks waited for
// something that was not recorded. By convention: four rows may share the growth.
inline constexpr double kLeastGrowthOfRow = 0.25;
// Ranks agree on their steps if this share of the collectives that they have in common lies in the same step of both.
// Ranks that run behind carry out the others in the next step's window.
inline constexpr double kAgreeingCollectives = 0.75;
// Steps of programs whose updates are compiled, so that PyTorch does not say when they happen. Whoever accumulates
// gradients clears them once per step all the same, but a program that never clears them may make several passes.
inline constexpr double kHiddenByClearing = 0.9;
inline constexpr double kHiddenByForward = 0.7;
// The most that steps are sure of whose device work has no launch in the trace.
inline constexpr double kWithoutLaunches = 0.7;
// Below this confidence a report says that its steps are not certain: more speaks against them than for them.
inline constexpr double kUnsureSteps = 0.5;
// The report mentions time outside of steps if it is more than this share of the recording (docs/metrics.md).
inline constexpr double kNotableOutside = 0.05;
// Markers of steps follow each other; those that overlap are something else. But a trace rounds starts and lengths,
// each by itself, at worst to a microsecond: older ones count microseconds since 1970 in floating point.
inline constexpr Nanoseconds kRoundedTime = 1'000;
// The bounds of a gap and the times of calls come from different readings of the clock, which may lie this far apart:
// between them the recorder follows one launch, which takes a few microseconds.
inline constexpr Nanoseconds kClockReading = 20'000;

// --- phases ---------------------------------------------------------------------------------------------------------
// Waking a thread takes some 50 µs on an idle host. A wait shorter than this is no more than waking and clock error.
inline constexpr Nanoseconds kWaking = 100'000;

}  // namespace tauprof
