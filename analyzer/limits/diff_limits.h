// When two runs differ.
#pragma once

#include <cstddef>

namespace tauprof {

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
// Data that cannot be kept step by step (kernels by name) are kept for this many stretches of the run, enough to see
// how they vary along it.
inline constexpr size_t kMostStretches = 32;

// A rank is named for a difference if this share of it is the rank's own, beyond what the typical other rank has …
inline constexpr double kOwnRankShare = 0.1;
// … or half of what the first one has (kAsMuch), as the ranks of a slow host do; and if all that are named explain this
// share: with less, most of the difference is no rank's.
inline constexpr double kRanksShare = 0.2;

}  // namespace tauprof
